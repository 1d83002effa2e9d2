import type { EngineFinding, RouteConfig } from "@proj/gateway-protocol";
import type { ChatRequest } from "@proj/model-apis";
import { objectOf, parsedObject } from "@proj/model-apis/json";
import type { EngineTokens } from "@proj/model-apis/tokens";
import {
  EngineAnswer,
  engineRequest,
  type PromptIds,
  promptIds,
  wholePrompt,
} from "../../prompts/index.ts";
import type { LiveUpstream } from "../../upstream/live-upstream.ts";
import type { EngineRoute } from "../engines.ts";
import { flagsOf } from "./engine-flags.ts";
import { probeServer } from "./probe-server.ts";

export interface ProbedRoute {
  readonly model: string;
  readonly route: RouteConfig;
  readonly engine: "vllm" | "sglang";
  readonly upstream: LiveUpstream;
  readonly opened: EngineRoute;
}

const maxEventBytes = 1 << 20;
/** Enough for a model that thinks to begin, and to say what it thinks in. */
const sampledTokens = 32;

const question: ChatRequest = {
  messages: [{ role: "user", content: "What is 19 + 23? Think first." }],
  tools: null,
  variables: {},
  members: { max_tokens: sampledTokens },
  ignored: [],
};
const tool = {
  type: "function",
  function: {
    name: "add",
    description: "Adds two numbers.",
    parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  },
};

/** What an engine answered. */
interface Sampled {
  readonly tokens: EngineTokens;
  readonly said: string;
  readonly thought: boolean;
}

/** @throws Error the upstream cannot be reached, or does not answer in time */
export async function probeEngine(probed: ProbedRoute): Promise<EngineFinding[]> {
  const { engine, opened } = probed;
  const flags = flagsOf[engine];
  let prompt: PromptIds;
  try {
    prompt = promptIds(null, await (await opened.renderer).render(question));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ check: "template", level: "failed", message: why }];
  }
  const found: EngineFinding[] = [
    { check: "template", level: "ok", message: `it renders a question in ${prompt.length} tokens` },
  ];
  const first = await ask(probed, question, prompt, {});
  if ("refusal" in first) {
    const message = `${first.refusal}. ${flags.token_ids}`;
    return [...found, { check: "token_ids", level: "failed", message }];
  }
  found.push(tokenIds(first.tokens, prompt, flags.token_ids));
  found.push(await logprobs(probed, prompt, flags.logprobs));
  found.push(await toolParser(probed, prompt, flags.tool_parser));
  found.push(reasoningParser(first, flags.reasoning_parser));
  return [...found, ...(await probeServer(probed, first.tokens))];
}

function tokenIds(
  { prompt_ids, completion_ids, logprobs }: EngineTokens,
  prompt: PromptIds,
  flag: string,
): EngineFinding {
  const check = "token_ids";
  const failed = (what: string): EngineFinding => ({
    check,
    level: "failed",
    message: `${what}. ${flag}`,
  });
  if (completion_ids === null) return failed("no ids of the sampled tokens come back");
  if (logprobs === null) return failed("no log probabilities come back");
  if (completion_ids.length !== logprobs.length)
    return failed(`${completion_ids.length} ids come with ${logprobs.length} log probabilities`);
  if (prompt_ids === null) return failed("the ids of the prompt do not come back");
  const sent = wholePrompt(prompt);
  const isSame = prompt_ids.length === sent.length && sent.every((id, at) => id === prompt_ids[at]);
  if (!isSame) return failed("the engine was prompted with other ids than it was sent");
  const message = `${completion_ids.length} ids with as many log probabilities, of the prompt that was sent`;
  return { check, level: "ok", message };
}

/** Two tokens are half as far apart at twice the temperature, unless the engine reports raw values. */
async function logprobs(
  probed: ProbedRoute,
  prompt: PromptIds,
  flag: string,
): Promise<EngineFinding> {
  const check = "logprobs";
  const unknown = (why: string): EngineFinding => ({
    check,
    level: "warning",
    message: `${why}: not known whether log probabilities are those that were sampled from`,
  });
  const one = await listedAt(1, probed, prompt);
  const two = await listedAt(2, probed, prompt);
  // Engines list the sampled token, which differs, beside the best: only what both list can be compared.
  const both = [...one.keys()].filter((token) => two.has(token));
  const byChance = both.toSorted((a, b) => (one.get(b) ?? 0) - (one.get(a) ?? 0));
  const [best, worst] = [byChance.at(0), byChance.at(-1)];
  if (best === undefined || worst === undefined || best === worst)
    return unknown("the engine lists no alternatives");
  const gap = (listed: Listed): number => (listed.get(best) ?? 0) - (listed.get(worst) ?? 0);
  if (gap(one) === 0) return unknown("the best tokens are equally likely");
  const ratio = gap(two) / gap(one);
  if (ratio > 0.4 && ratio < 0.6)
    return { check, level: "ok", message: "those that tokens are sampled from" };
  return {
    check,
    level: "failed",
    message: `log probabilities are those before temperature, not those that tokens are sampled from. ${flag}`,
  };
}

/** Log probabilities by token. */
type Listed = ReadonlyMap<string, number>;

/** What is listed for the first token of an answer. */
async function listedAt(
  temperature: number,
  probed: ProbedRoute,
  prompt: PromptIds,
): Promise<Listed> {
  const members = { max_tokens: 1, temperature, top_p: 1, top_logprobs: 5 };
  const reply = await post(probed, { ...question, members }, prompt);
  for (const [, json = ""] of Buffer.from(reply.bytes)
    .toString()
    .matchAll(/^data: (\{.*)$/gm)) {
    const { choices } = parsedObject(json);
    const { logprobs } = objectOf(listOf(choices)[0]);
    const { top_logprobs } = objectOf(listOf(objectOf(logprobs).content)[0]);
    const listed = listOf(top_logprobs).map(objectOf);
    // Parts of characters have equal texts, and differ in their bytes.
    if (listed.length > 0)
      return new Map(
        listed.map(({ token, bytes, logprob }) => [
          JSON.stringify([token, bytes]),
          Number(logprob),
        ]),
      );
  }
  return new Map();
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

async function toolParser(
  probed: ProbedRoute,
  prompt: PromptIds,
  flag: string,
): Promise<EngineFinding> {
  const check = "tool_parser";
  const answer = await ask(
    probed,
    { ...question, tools: [tool], members: { max_tokens: 1 } },
    prompt,
    {
      tool_choice: "auto",
    },
  );
  return "refusal" in answer
    ? { check, level: "failed", message: `${answer.refusal}. ${flag}` }
    : { check, level: "ok", message: "tools are accepted" };
}

function reasoningParser({ said, thought }: Sampled, flag: string): EngineFinding {
  const check = "reasoning_parser";
  if (thought) return { check, level: "ok", message: "thinking is told apart from the answer" };
  if (/<\/?think(ing)?>/.test(said))
    return { check, level: "failed", message: `thinking is in the answer's text. ${flag}` };
  return { check, level: "ok", message: "the model did not think" };
}

async function ask(
  probed: ProbedRoute,
  asked: ChatRequest,
  prompt: PromptIds,
  members: object,
): Promise<Sampled | { readonly refusal: string }> {
  const request = { ...asked, members: { ...asked.members, ...members } };
  const reply = await post(probed, request, prompt);
  if (reply.status !== 200)
    return { refusal: `/chat/completions answers ${reply.status}${probed.upstream.said(reply)}` };
  const answer = new EngineAnswer({
    maxEventBytes,
    idOfCall: String,
    calls: 0,
    withLogprobs: false,
    lags: false,
    prompt: null,
    inCalls: null,
  });
  const pieces = answer.push(reply.bytes);
  if (answer.error !== null) return { refusal: answer.error };
  const said = pieces.flatMap((piece) => (piece.kind === "text" ? [piece.text] : [])).join("");
  return {
    tokens: answer.tokens(),
    said,
    thought: pieces.some(({ kind }) => kind === "reasoning"),
  };
}

async function post(
  { engine, model, route, upstream }: ProbedRoute,
  asked: ChatRequest,
  prompt: PromptIds,
) {
  const { body } = engineRequest(engine, route.upstream_model ?? model, asked, prompt);
  return upstream.ask("/chat/completions", JSON.parse(body.bytes.toString()));
}
