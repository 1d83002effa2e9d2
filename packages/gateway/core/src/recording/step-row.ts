import type { TelemetryConfig } from "@proj/gateway-protocol";
import { type AnswerFacts, tokensOf } from "@proj/model-apis";
import { redact } from "@proj/model-apis/json";
import type { StepRow } from "@proj/session-store";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { describeOutcome } from "../call/outcome.ts";
import { durationsOf, isoTime } from "../call/timings.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { routeSecrets } from "../upstream/route-secrets.ts";
import type { BoundCall } from "./bound-call.ts";
import { costOf } from "./step-cost.ts";
import { continuationOf, keepsPayload, keptAs, storeOf, usageMeta } from "./step-meta.ts";

/** The row of a step that has ended in any way. `answer` is null if no headers came. */
export function createStepRow(
  config: TelemetryConfig,
  call: BoundCall,
  answer: Answer | null,
  facts: AnswerFacts | null,
  error: CallError | null,
  body_sha256: string,
  unpriced: boolean,
): StepRow {
  const { session, model, step_id, recorded } = call;
  const upstream_status_code = answer?.upstream?.status ?? null;
  const {
    status_code,
    outcome,
    error: message,
    error_source,
  } = describeOutcome(upstream_status_code, facts, error);
  const keeps = keepsPayload(config, session.session_id, model, step_id, status_code);
  const { environment } = session;
  const usage = usageMeta(tokensOf(facts), costOf(call, facts));
  const durations = durationsOf(call.timings);
  const continuation = continuationOf(call);
  const columns = keeps ? recorded.columns : noColumns;
  // Every member by its name: an object that others are spread into takes twice as long to make.
  const meta = {
    status_code,
    upstream_status_code,
    outcome,
    endpoint: call.endpoint.name,
    request_id: call.request_id,
    response_id: keptAs(call, facts) ?? undefined,
    continues: continuation.continues,
    history: continuation.history,
    store: storeOf(call),
    upstream_request_id: answer?.upstream?.request_id ?? null,
    trace_id: traceId(call),
    client_retry_count: retryCount(call),
    retry_of: call.retry_of ?? undefined,
    budget_returned: call.retry_of === null ? undefined : 1,
    caller: call.caller,
    upstream_model: call.route.config.upstream_model ?? model,
    replayed_from: replayedFrom(call),
    diverged: call.diverged ?? undefined,
    weight_version: call.weight_version ?? undefined,
    asks_token_ids: call.route.config.extra_body.return_token_ids === true ? true : undefined,
    replica: call.sent.replica,
    attempts: call.sent.attempts,
    stripped: call.sent.stripped ?? undefined,
    asked_usage: call.sent.stream_options === undefined ? undefined : true,
    agent: call.lineage ?? undefined,
    side_call: call.side_call ?? undefined,
    body_sha256,
    is_stream: call.body.stream,
    finish_reason: facts?.finish_reason ?? null,
    error: message,
    error_source: error_source ?? undefined,
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    cached_tokens: usage.cached_tokens,
    cache_write_tokens: usage.cache_write_tokens,
    reasoning_tokens: usage.reasoning_tokens,
    billed: usage.billed,
    cost_nano_usd: usage.cost_nano_usd,
    unpriced: unpriced ? 1 : undefined,
    held_tokens: unpriced ? call.hold?.tokens : undefined,
    held_nano_usd: unpriced ? call.hold?.nano_usd : undefined,
    ttft_ms: durations.ttft_ms,
    upstream_ms: durations.upstream_ms,
    gateway_ms: durations.gateway_ms,
    queue_ms: durations.queue_ms,
    request_bytes: call.body.bytes.length,
    response_bytes: answer?.reading?.response_bytes ?? 0,
    truncated: facts?.truncated ?? false,
    unreadable: facts?.unreadable ?? undefined,
    started_at: isoTime(call.timings.startedAt),
    request_headers: requestHeaders(call) ?? undefined,
    headers: answer?.upstream?.recorded_headers ?? undefined,
  };
  return {
    request_id: call.request_id,
    session_id: session.session_id,
    model,
    step_id,
    epoch: session.epoch,
    status_code,
    env_name: environment?.env_name ?? null,
    job_id: environment?.job_id ?? null,
    group_id: environment?.group_id ?? null,
    created_at: isoTime(Date.now()),
    // The error and the headers are the upstream's words.
    meta_json: routeSecrets(call.route.config).apply(JSON.stringify(meta)),
    response: keeps ? withEngine(facts?.text ?? null, call.engine) : null,
    request: columns.request,
    messages: columns.messages,
    history: columns.history,
  };
}

/** The answer with what the engine said beside it, as its last member. */
function withEngine(text: Uint8Array | null, engine: BoundCall["engine"]): Uint8Array | null {
  if (text === null || engine === null || text.at(-1) !== closeBrace) return text;
  const member = JSON.stringify({ engine }, listed).slice(1);
  const before = text.subarray(0, -1);
  return Buffer.concat([before, Buffer.from(before.length === 1 ? member : `,${member}`)]);
}

const closeBrace = 0x7d;

/** Typed arrays as lists of numbers. */
const listed = (_name: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? Array.from(value as Int32Array | Float64Array) : value;

function replayedFrom({ replayed }: BoundCall): object | undefined {
  if (replayed === null) return undefined;
  const { session_id, step_id, request_id } = replayed.row;
  const { ignored } = replayed;
  return { session_id, step_id, request_id, ...(ignored.length === 0 ? {} : { ignored }) };
}

const noColumns = { request: null, messages: null, history: null };

/** W3C Trace Context, section 3.2: version (never ff), trace id (never all zeros), parent id, flags. */
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-/;

function traceId(call: Call): string | null {
  const { traceparent } = call.headers;
  if (typeof traceparent !== "string") return null;
  return traceparentForm.exec(traceparent)?.[1] ?? null;
}

function retryCount(call: Call): number | null {
  const header = call.headers["x-stainless-retry-count"];
  return typeof header === "string" && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

/** The headers named in the route's `record_request_headers` that the caller sent; null if none. */
function requestHeaders({
  headers,
  route: { config },
}: Call): Readonly<Record<string, string>> | null {
  if (config.record_request_headers.length === 0) return null;
  const sent = config.record_request_headers.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  if (sent.length === 0) return null;
  // Callers' keys never reach a row, whatever the configuration says about bodies.
  const text = Buffer.from(JSON.stringify(Object.fromEntries(sent)));
  return JSON.parse(Buffer.from(redact(text)).toString());
}
