import { isUtf8 } from "node:buffer";
import { isContinuation } from "@proj/model-apis/json";
import { isoTime } from "../call/timings.ts";
import type { RequestLogEntry } from "./call-log-entry.ts";
import { writeAscii, writeEscaped, writeString } from "./write-json.ts";

/**
 * Writes the entry as one line, including its line end. Returns where it ends; a value beyond the end of
 * `target` means that it did not fit, and what was written is useless. Writes bytes directly: intermediate
 * strings would leave several times the line's size as garbage.
 * @param bodyLimit maximum bytes recorded of each body; 0: all
 */
export function encodeEntry(
  entry: RequestLogEntry,
  bodyLimit: number,
  target: Uint8Array,
  at: number,
): number {
  let end = writeAscii('{"time":"', target, at);
  end = writeTime(entry.time, target, end);
  end = writeText('","event":', entry.event, target, end);
  end = writeText(',"request_id":', entry.request_id, target, end);
  end = writeText(',"session_id":', entry.session_id, target, end);
  end = writeText(',"model":', entry.model, target, end);
  end = writeNumber(',"step_id":', entry.step_id, target, end);
  end = writeText(',"endpoint":', entry.endpoint, target, end);
  end = writeNumber(',"status_code":', entry.status_code, target, end);
  end = writeText(',"outcome":', entry.outcome, target, end);
  end = writeText(',"code":', entry.code, target, end);
  end = writeText(',"caller":', entry.caller, target, end);
  end = writeNumber(',"queue_ms":', entry.queue_ms, target, end);
  end = writeNumber(',"ttft_ms":', entry.ttft_ms, target, end);
  end = writeNumber(',"upstream_ms":', entry.upstream_ms, target, end);
  end = writeNumber(',"gateway_ms":', entry.gateway_ms, target, end);
  end = writeNumber(',"duration_ms":', entry.duration_ms, target, end);
  end = writeNumber(',"request_bytes":', entry.request_bytes, target, end);
  end = writeNumber(',"response_bytes":', entry.response_bytes, target, end);
  end = writeBody("request", entry.request, bodyLimit, target, end);
  end = writeBody("response", entry.response, bodyLimit, target, end);
  return writeAscii("}\n", target, end);
}

function writeText(key: string, text: string | null, target: Uint8Array, at: number): number {
  if (text === null) return writeNull(key, target, at);
  return writeString(text, target, writeAscii(key, target, at));
}

/** JSON has neither NaN nor infinities. */
function writeNumber(key: string, value: number | null, target: Uint8Array, at: number): number {
  if (value === null || !Number.isFinite(value)) return writeNull(key, target, at);
  return writeAscii(`${value}`, target, writeAscii(key, target, at));
}

function writeNull(key: string, target: Uint8Array, at: number): number {
  return writeAscii("null", target, writeAscii(key, target, at));
}

function writeBody(
  name: "request" | "response",
  bytes: Uint8Array | null,
  limit: number,
  target: Uint8Array,
  at: number,
): number {
  const key = name === "request" ? ',"request":' : ',"response":';
  if (bytes === null) return writeNull(key, target, at);
  const length = limit === 0 ? bytes.length : cutUtf8(bytes, limit);
  const kept = length === bytes.length ? bytes : bytes.subarray(0, length);
  let end = writeAscii(key, target, at);
  end = writeAscii('"', target, end);
  end = writeEscaped(isUtf8(kept) ? kept : asUtf8(kept), target, end);
  end = writeAscii('"', target, end);
  return kept === bytes ? end : writeAscii(`,"${name}_truncated":true`, target, end);
}

/** Replaces bytes that are not UTF-8 by U+FFFD. */
function asUtf8(bytes: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}

/**
 * The largest length, at most `limit`, that does not split a character of a UTF-8 text. If the bytes are not
 * UTF-8, any cut is fine, and at most three bytes are given up.
 */
function cutUtf8(bytes: Uint8Array, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  // RFC 3629: a character has at most three continuation bytes, 10xxxxxx each, after its first.
  while (end > 0 && end > limit - 3 && isContinuation(bytes[end])) end--;
  return isContinuation(bytes[end]) ? limit : end;
}

/**
 * Writes a time like `Date.prototype.toISOString`. Bytes beyond the end of `target` are dropped; returns where
 * the text ends.
 * @param time milliseconds since the epoch
 * @throws RangeError if it is not a time
 */
function writeTime(time: number, target: Uint8Array, at: number): number {
  return writeAscii(isoTime(Math.trunc(time)), target, at);
}
