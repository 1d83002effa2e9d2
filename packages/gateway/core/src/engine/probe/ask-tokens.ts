import type { RouteConfig } from "@proj/gateway-protocol";
import type { ChatRequest } from "@proj/model-apis";
import {
  isJsonObject,
  type JsonObject,
  listOf,
  objectOf,
  parsedObject,
} from "@proj/model-apis/json";
import type { EngineTokens } from "@proj/model-apis/tokens";
import { EngineAnswer, engineRequest, type PromptIds } from "../../prompts/index.ts";
import type { LiveReply, LiveUpstream } from "../../upstream/live-upstream.ts";
import type { EngineRoute } from "../engines.ts";

export interface ProbedRoute {
  readonly model: string;
  readonly route: RouteConfig;
  readonly engine: "vllm" | "sglang";
  readonly upstream: LiveUpstream;
  readonly opened: EngineRoute;
}

/** What an engine answered. */
export interface Sampled {
  readonly tokens: EngineTokens;
  /** How many tokens its usage counts; null: it has none. */
  readonly counted: number | null;
  /** What its log probabilities say of each token, as far as they do. */
  readonly listed: readonly JsonObject[];
  readonly said: string;
  readonly thought: boolean;
}

export interface Refusal {
  readonly refusal: string;
}

const maxEventBytes = 1 << 20;
const path = "/chat/completions";

/** @throws Error the upstream cannot be reached, or does not answer in time */
export async function askTokens(
  { engine, model, route, upstream }: ProbedRoute,
  asked: ChatRequest,
  prompt: PromptIds,
): Promise<Sampled | Refusal> {
  const { body } = engineRequest(engine, route.upstream_model ?? model, asked, prompt);
  const reply = await upstream.ask(path, JSON.parse(body.bytes.toString()));
  if (reply.status !== 200)
    return { refusal: `${path} answers ${reply.status}${upstream.said(reply)}` };
  return readTokens(reply);
}

function readTokens({ bytes }: LiveReply): Sampled | Refusal {
  const answer = new EngineAnswer({
    maxEventBytes,
    idOfCall: String,
    calls: 0,
    withLogprobs: false,
    lags: false,
    prompt: null,
    inCalls: null,
  });
  const pieces = answer.push(bytes);
  const { error, end, counted } = answer;
  if (error !== null) return { refusal: error.replace(/\.$/, "") };
  if (end === null) return { refusal: `${path} answers without a whole stream of events` };
  return {
    tokens: answer.tokens(),
    counted,
    listed: listedIn(bytes),
    said: pieces.flatMap((piece) => (piece.kind === "text" ? [piece.text] : [])).join(""),
    thought: pieces.some(({ kind }) => kind === "reasoning"),
  };
}

function listedIn(bytes: Uint8Array): readonly JsonObject[] {
  const events = Buffer.from(bytes)
    .toString()
    .matchAll(/^data: (\{.*)$/gm);
  return [...events].flatMap(([, json = ""]) => {
    const [choice] = listOf(parsedObject(json).choices);
    return listOf(objectOf(objectOf(choice).logprobs).content).filter(isJsonObject);
  });
}
