import type { ChatTranslation, Overflow } from "@proj/model-apis";
import { parsedObject } from "@proj/model-apis/json";
import { type Answer, createOwnAnswer, type UpstreamFacts } from "../call/answer.ts";
import type { Call } from "../call/call.ts";

/** An engine says that a request does not fit into its context. */
export class ContextOverflow extends Error {
  override readonly name = "ContextOverflow";
  readonly tokens: Overflow;
  readonly upstream: UpstreamFacts | null;

  constructor(tokens: Overflow, upstream: UpstreamFacts | null) {
    super("The request does not fit into the engine's context.");
    this.tokens = tokens;
    this.upstream = upstream;
  }
}

/** As vLLM 0.32 and SGLang 0.5.23 say it. */
const forms: readonly RegExp[] = [
  /^Input length \((?<prompt>\d+)\) exceeds model's maximum context length \((?<limit>\d+)\)/,
  /^This model's maximum context length is (?<limit>\d+) tokens\. However, your prompt contains (?:at least )?(?<prompt>\d+) input tokens/,
  /^max_(?:completion_)?tokens=(?<answer>\d+) cannot be greater than max_model_len=(?<limit>\d+)/,
  /^The input \((?<prompt>\d+) tokens\) is longer than the model's context length \((?<limit>\d+) tokens\)/,
  /maximum context length of (?<limit>\d+) tokens\. You requested a total of \d+ tokens: (?<prompt>\d+) tokens from the input messages and (?<answer>\d+) tokens/,
];

/**
 * What an engine's error says of its context; null: it is about something else.
 * @param sent how many tokens its prompt had, for errors that do not say it
 */
export function overflowIn(message: string, sent: number): Overflow | null {
  for (const form of forms) {
    const groups = form.exec(message)?.groups;
    if (groups === undefined) continue;
    const { limit, prompt, answer } = groups;
    return {
      limit: Number(limit),
      prompt: prompt === undefined ? sent : Number(prompt),
      answer: answer === undefined ? null : Number(answer),
    };
  }
  return null;
}

/** What the agent's own API says: an error, or a stream that fails if its clients take it only from there. */
export function overflowAnswer(
  { endpoint, body, request_id, model }: Call,
  { overflow, failedStream }: ChatTranslation,
  { tokens, upstream }: ContextOverflow,
): Answer {
  const error = overflow(tokens);
  if (body.stream && failedStream !== null) {
    const { [endpoint.history ?? ""]: _history, ...request } = parsedObject(body.bytes.toString());
    const created = Math.floor(Date.now() / 1_000);
    const head = { request_id, model, created, request, prompt_tokens: tokens.prompt };
    const events = Buffer.from(failedStream(head, error));
    const headers = ["content-type", "text/event-stream; charset=utf-8"];
    return createOwnAnswer(200, headers, "event_stream", events, upstream);
  }
  const kind = { status: 400, type: "invalid_request_error" };
  const said = Buffer.from(JSON.stringify(endpoint.errorBody({ ...error, kind }, request_id)));
  return createOwnAnswer(400, ["content-type", "application/json"], "plain", said, upstream);
}
