import type { ErrorCode } from "@proj/gateway-protocol";
import type { AnswerFacts, EndpointName } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { describeOutcome, type Outcome } from "../call/outcome.ts";
import { durationsOf } from "../call/timings.ts";
import { type CallError, GatewayError } from "../errors/gateway-error.ts";

/**
 * The request log's line for a call that has ended in any way.
 * @param bodyLimit maximum bytes kept of the request; 0: all
 */
export function callLogEntry(
  call: Call,
  answer: Answer | null,
  facts: AnswerFacts | null,
  error: CallError | null,
  bodyLimit: number,
): RequestLogEntry {
  const { timings } = call;
  const durations = durationsOf(timings);
  const isReplay = call.replayed !== null && answer !== null;
  const wasForwarded = timings.forwarded !== 0 || isReplay;
  const isStop = answer !== null && answer.upstream === null;
  const forwarded = wasForwarded
    ? describeOutcome(answer?.upstream?.status ?? null, facts, error)
    : null;
  const code = error instanceof GatewayError ? error.code : null;
  const refusedStatus = error instanceof GatewayError ? error.kind.status : 499;
  return {
    time: timings.startedAt,
    event: isStop ? "stop" : isReplay ? "replay" : wasForwarded ? "request" : "refused",
    request_id: call.request_id,
    session_id: call.session_id,
    model: call.model,
    step_id: call.step_id > 0 ? call.step_id : null,
    endpoint: call.endpoint.name,
    status_code: forwarded?.status_code ?? (isStop ? 200 : refusedStatus),
    outcome: forwarded?.outcome ?? null,
    code,
    caller: call.caller,
    queue_ms: durations.queue_ms,
    ttft_ms: durations.ttft_ms,
    upstream_ms: durations.upstream_ms,
    gateway_ms: durations.gateway_ms,
    duration_ms: Math.round((performance.now() - timings.started) * 1_000) / 1_000,
    request_bytes: call.body.bytes.length,
    response_bytes: answer?.reading?.response_bytes ?? null,
    request: call.recorded.beginning(bodyLimit),
    response: facts?.text ?? null,
  };
}

/** A request that was refused before it became a call. */
export interface RefusedRequest {
  readonly request_id: string;
  /** Null if the request has no session, or the session id in the path is malformed. */
  readonly session_id: string | null;
  readonly endpoint: EndpointName;
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  readonly error: GatewayError;
}

export function refusalLogEntry(refused: RefusedRequest): RequestLogEntry {
  const { request_id, session_id, endpoint, started_at, error } = refused;
  return {
    time: started_at,
    event: "refused",
    request_id,
    session_id,
    model: null,
    step_id: null,
    endpoint,
    status_code: error.kind.status,
    outcome: null,
    code: error.code,
    caller: null,
    queue_ms: null,
    ttft_ms: null,
    upstream_ms: null,
    gateway_ms: null,
    duration_ms: Date.now() - started_at,
    request_bytes: null,
    response_bytes: null,
    request: null,
    response: null,
  };
}

/** One line of the request log. Null: unknown, or never reached. */
export interface RequestLogEntry {
  /** When the request came, in milliseconds since the epoch; written as ISO 8601 UTC. */
  readonly time: number;
  /** `replay`: answered from another session's record; `stop`: answered by the synthetic stop; `refused`: answered by an error of the gateway's own. */
  readonly event: "request" | "replay" | "stop" | "refused";
  readonly request_id: string;
  readonly session_id: string | null;
  readonly model: string | null;
  readonly step_id: number | null;
  readonly endpoint: EndpointName | null;
  readonly status_code: number | null;
  readonly outcome: Outcome | null;
  /** The error code that the gateway answered with. */
  readonly code: ErrorCode | null;
  /** The name of the caller's key. */
  readonly caller: string | null;
  readonly queue_ms: number | null;
  readonly ttft_ms: number | null;
  readonly upstream_ms: number | null;
  readonly gateway_ms: number | null;
  readonly duration_ms: number | null;
  /** Sizes of the whole bodies, however much of them is recorded. */
  readonly request_bytes: number | null;
  readonly response_bytes: number | null;
  /** UTF-8 text as recorded, already redacted. */
  readonly request: Uint8Array | null;
  readonly response: Uint8Array | null;
}
