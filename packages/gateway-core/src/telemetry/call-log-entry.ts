import { parseSessionId } from "@proj/gateway-protocol";
import { type CallError, GatewayError } from "../gateway-error.ts";
import type { Refusal } from "../http/model-endpoint.ts";
import type { Answer } from "../pipeline/answer.ts";
import type { BoundCall, Call } from "../pipeline/call.ts";
import { durationsOf } from "../pipeline/timings.ts";
import type { RequestLogEntry } from "../request-log/request-log-entry.ts";
import type { AnswerFacts } from "./answer-facts.ts";
import { describeOutcome } from "./outcome.ts";

/** The line of the request log for a call that has ended, however it ended. */
export function callLogEntry(
  call: Call | BoundCall,
  answer: Answer | null,
  facts: AnswerFacts | null,
  error: CallError | null,
): RequestLogEntry {
  const { timings } = call;
  const wasForwarded = timings.forwarded !== 0;
  const isStop = answer !== null && answer.upstream === null;
  const forwarded = wasForwarded
    ? describeOutcome(answer?.upstream?.status ?? null, facts, error)
    : null;
  const code = error instanceof GatewayError ? error.code : null;
  const refusedStatus = error instanceof GatewayError ? error.kind.status : 499;
  return {
    time: timings.startedAt,
    event: isStop ? "stop" : wasForwarded ? "request" : "refused",
    request_id: call.request_id,
    session_id: "session" in call ? call.session.session_id : null,
    model: call.model,
    step_id: "step_id" in call && call.step_id > 0 ? call.step_id : null,
    endpoint: call.endpoint,
    status_code: forwarded?.status_code ?? (isStop ? 200 : refusedStatus),
    outcome: forwarded?.outcome ?? null,
    code,
    caller: call.caller,
    ...durationsOf(timings),
    duration_ms: Math.round((performance.now() - timings.started) * 1_000) / 1_000,
    request_bytes: call.body.bytes.length,
    response_bytes: answer?.reading?.response_bytes ?? null,
    request: call.recorded.bytes,
    response: facts?.text ?? null,
  };
}

/** The line for a request that was refused before it became a call. */
export function refusalLogEntry({ request_id, path, started_at, error }: Refusal): RequestLogEntry {
  return {
    time: started_at,
    event: "refused",
    request_id,
    session_id: path.session_segment === null ? null : parseSessionId(path.session_segment),
    model: null,
    step_id: null,
    endpoint: path.endpoint,
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
