import type { RequestLogEntry } from "../../src/request-log/call-log-entry.ts";

export function sampleEntry(changes: Partial<RequestLogEntry> = {}): RequestLogEntry {
  return {
    time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    event: "request",
    request_id: "req_1",
    session_id: "session-1",
    model: "small",
    step_id: 1,
    endpoint: "chat_completions",
    status_code: 200,
    outcome: "completed",
    code: null,
    caller: null,
    queue_ms: 0,
    ttft_ms: 12.5,
    upstream_ms: 20.25,
    gateway_ms: 0.125,
    duration_ms: 20.375,
    request_bytes: 15,
    response_bytes: 11,
    request: Buffer.from('{"model":"small"}'),
    response: Buffer.from('{"id":"a"}'),
    ...changes,
  };
}
