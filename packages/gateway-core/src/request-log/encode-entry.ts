import { isoTime } from "../recording/iso-time.ts";
import { cutUtf8 } from "./cut-utf8.ts";
import type { RequestLogEntry } from "./request-log-entry.ts";

/**
 * The entry as one line, including its line end.
 * @param bodyLimit maximum bytes recorded of each body; 0: all
 */
export function encodeEntry(entry: RequestLogEntry, bodyLimit: number): string {
  const request = recorded(entry.request, bodyLimit);
  const response = recorded(entry.response, bodyLimit);
  // Every member by its name, in the documented order: an object that another is spread into takes longer to make.
  const line = {
    time: isoTime(Math.trunc(entry.time)),
    event: entry.event,
    request_id: entry.request_id,
    session_id: entry.session_id,
    model: entry.model,
    step_id: entry.step_id,
    endpoint: entry.endpoint,
    status_code: entry.status_code,
    outcome: entry.outcome,
    code: entry.code,
    caller: entry.caller,
    queue_ms: entry.queue_ms,
    ttft_ms: entry.ttft_ms,
    upstream_ms: entry.upstream_ms,
    gateway_ms: entry.gateway_ms,
    duration_ms: entry.duration_ms,
    request_bytes: entry.request_bytes,
    response_bytes: entry.response_bytes,
    request: text(request),
    request_truncated: request === entry.request ? undefined : true,
    response: text(response),
    response_truncated: response === entry.response ? undefined : true,
  };
  return `${JSON.stringify(line)}\n`;
}

/** The part of a body that is recorded; the body itself if that is all of it. */
function recorded(body: Buffer | null, limit: number): Buffer | null {
  if (body === null || limit === 0 || body.length <= limit) return body;
  return body.subarray(0, cutUtf8(body, limit));
}

/** Bytes that are not UTF-8 become U+FFFD. */
const text = (bytes: Buffer | null): string | null => (bytes === null ? null : bytes.toString());
