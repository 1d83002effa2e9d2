import type { ChatRequest, ChatTranslation } from "@proj/model-apis";
import { Answer, createOwnAnswer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Handler, Stage } from "../call/stage.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { engineRequest, type MadePrompt, promptOf, wholePrompt } from "../prompts/index.ts";
import { askInIds, goOn } from "./ask-in-ids.ts";
import { askParse } from "./ask-parse.ts";
import { BegunBody } from "./begun-body.ts";
import { ContextOverflow, overflowAnswer, overflowIn } from "./context-overflow.ts";
import { countTokens } from "./count-tokens.ts";
import { EngineCall } from "./engine-call.ts";
import type { EngineCallOptions } from "./engine-call-options.ts";
import { readEngineError } from "./engine-error.ts";
import type { EngineRoute, Engines } from "./engines.ts";
import { asEngineGets, hasImages, readAsked } from "./read-asked.ts";
import { type ReadRequest, readGrown } from "./read-grown.ts";
import { TranslatedBody } from "./translated-body.ts";

/** An engine sends a token's id and log probability with its text, and much around them. */
const overhead = 8;

/**
 * Serves the calls of routes with an engine: the engine gets the prompt as token ids, and the agent its answer in
 * the API in which it asked. Other calls pass.
 * @param maxBytes limit for one event of an engine
 */
export function askEngine<C extends Call>(engines: Engines, maxBytes: number): Stage<C> {
  return (next) => (call) => {
    const engine = engines.of(call.route.config, call.model);
    return engine === null ? next(call) : ask(call, engine, engines, maxBytes, next);
  };
}

async function ask<C extends Call>(
  call: C,
  engine: EngineRoute,
  engines: Engines,
  maxBytes: number,
  next: Handler<C>,
): Promise<Answer> {
  const { chat, history, writeCount } = call.endpoint;
  if (chat === null) return next(call);
  try {
    if (writeCount !== null) return await countTokens(call, chat, writeCount, engine);
    if (history === null) return await next(call);
    return await askIn(chat, history, call, engine, engines, maxBytes, next);
  } catch (error) {
    if (error instanceof ContextOverflow) return overflowAnswer(call, chat, error);
    if (!(error instanceof RangeError)) throw error;
    throw new GatewayError("invalid_request", "The body is nested too deeply for an engine.", {
      cause: error,
    });
  }
}

async function askIn<C extends Call>(
  chat: ChatTranslation,
  history: string,
  call: C,
  engine: EngineRoute,
  engines: Engines,
  maxBytes: number,
  next: Handler<C>,
): Promise<Answer> {
  const read = (): ReadRequest => readGrown(call, chat.read, history);
  const { request, asked } = readAsked(call, read, engine.name);
  const prompt = await makePrompt(call, asked, engine, engines);
  const { model, request_id } = call;
  const write: EngineCallOptions["write"] = (asked, ids) =>
    engineRequest(engine.name, call.route.config.upstream_model ?? model, asked, ids);
  const sent = write(asked, prompt?.ids ?? null);
  const answer = await askInIds(call, sent.body, next);
  const { status, upstream, received, format } = answer;
  if (status === 200 && format !== "event_stream") throw notAStream(model);
  const body = new BegunBody(answer.body, status !== 200);
  const error = await body.begin(call.cancellation);
  if (error !== null) return failed(call, answer, error, prompt);
  const streams = call.body.stream;
  const headers = withContentType(answer.headers, streams);
  const engineCall = new EngineCall({
    request_id,
    model,
    chat,
    history,
    request,
    asked,
    prompt,
    sent,
    write,
    maxEventBytes: maxBytes,
    weights: () => call.route.latest.queue.weight_version,
    streams,
    parse:
      prompt === null || engine.name !== "vllm"
        ? null
        : (sampled, signal) => {
            const { config } = call.route.latest;
            return askParse(config, model, asked, wholePrompt(prompt.ids), sampled, signal);
          },
  });
  const onEnd = (isWhole: boolean): void => remember(call, engineCall, engine, engines, isWhole);
  return new Answer({
    status,
    headers,
    body: new TranslatedBody(body, {
      call: engineCall,
      streams,
      maxBytes: overhead * maxBytes,
      onEnd,
      goOn: (body, cancellation) => goOn(call, body, cancellation, next),
    }),
    format: streams ? "event_stream" : "plain",
    upstream,
    received,
  });
}

/**
 * An engine's error in the form of the agent's API, with its status and its hints for retries as they are.
 * @throws ContextOverflow
 */
function failed(
  { endpoint, request_id }: Call,
  { status, headers, upstream }: Answer,
  text: string,
  prompt: MadePrompt | null,
): Answer {
  const error = readEngineError(status, text);
  const overflow = overflowIn(error.message, prompt?.ids.length ?? 0);
  if (overflow !== null) throw new ContextOverflow(overflow, upstream);
  const body = Buffer.from(JSON.stringify(endpoint.errorBody(error, request_id)));
  const kept = withContentType(headers, false);
  // An error that is told in a stream has a status of its own.
  const told = upstream && { ...upstream, status: error.kind.status };
  return createOwnAnswer(error.kind.status, kept, "plain", body, told);
}

/** Null: the engine renders it, because no template of ours renders images. */
async function makePrompt(
  call: Call,
  asked: ChatRequest,
  { name, renderer, continuity }: EngineRoute,
  { turns, load }: Engines,
): Promise<MadePrompt | null> {
  if (hasImages(asked)) return null;
  const abort = new AbortController();
  const stopListening = call.cancellation.onCancel((reason) => abort.abort(reason));
  try {
    const { session_id, model, step_id, lineage, route } = call;
    const rendering = await renderer;
    const session =
      session_id === null || continuity === null
        ? turns.once
        : await turns.of(session_id, model, continuity, async (turns) => {
            // A first step has nothing to continue.
            if (step_id === 1) return;
            await load(session_id, model, turns, (own) =>
              promptOf(asEngineGets(own, route.config, name), rendering),
            );
          });
    const asking = { agent: lineage?.id ?? null, signal: abort.signal };
    return await session.prompt(promptOf(asked, rendering), rendering, asking);
  } finally {
    stopListening();
    call.cancellation.throwIfCancelled();
  }
}

/** Keeps the answer's tokens for its row, and for the prompts that continue it. */
function remember(
  call: Call,
  engineCall: EngineCall,
  { continuity }: EngineRoute,
  { turns, onMismatch }: Engines,
  isWhole: boolean,
): void {
  const { record, prompt } = engineCall.outcome();
  call.engine = record;
  const { session_id, model, request_id } = call;
  if (record.prompt_mismatch) onMismatch(session_id, model);
  if (!isWhole || session_id === null || continuity === null || prompt === null) return;
  const sampled = Int32Array.from(record.token_ids);
  turns.find(session_id, model)?.add(request_id, prompt, engineCall.answer(), sampled, record.cut);
}

/** The translated body has another length. */
function withContentType(headers: readonly string[], streams: boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const [name = "", value = ""] = headers.slice(at, at + 2);
    if (name !== "content-length" && name !== "content-type") kept.push(name, value);
  }
  const type = streams ? "text/event-stream; charset=utf-8" : "application/json";
  return ["content-type", type, ...kept];
}

function notAStream(model: string): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `The engine of route '${model}' was asked for a stream and sent something else.`,
    { retryable: false },
  );
}
