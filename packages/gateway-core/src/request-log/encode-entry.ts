import { cutUtf8 } from "./cut-utf8.ts";
import type { RequestLogEntry } from "./request-log-entry.ts";

/**
 * The entry as one line, its end included. Put together by hand, as one `JSON.stringify` of the
 * whole entry takes twice as long.
 * @param bodyLimit bytes recorded of each body; 0: all
 */
export function encodeEntry(entry: RequestLogEntry, bodyLimit: number): string {
  return (
    `{"time":"${new Date(entry.time).toISOString()}","event":"${entry.event}"` +
    `,"request_id":${JSON.stringify(entry.request_id)},"session_id":${text(entry.session_id)}` +
    `,"model":${text(entry.model)},"step_id":${number(entry.step_id)}` +
    `,"endpoint":${word(entry.endpoint)},"status_code":${number(entry.status_code)}` +
    `,"outcome":${word(entry.outcome)},"code":${word(entry.code)},"caller":${text(entry.caller)}` +
    `,"queue_ms":${number(entry.queue_ms)},"ttft_ms":${number(entry.ttft_ms)}` +
    `,"upstream_ms":${number(entry.upstream_ms)},"gateway_ms":${number(entry.gateway_ms)}` +
    `,"duration_ms":${number(entry.duration_ms)}` +
    `,"request_bytes":${number(entry.request_bytes)},"response_bytes":${number(entry.response_bytes)}` +
    body("request", entry.request, bodyLimit) +
    body("response", entry.response, bodyLimit) +
    "}\n"
  );
}

function body(name: string, bytes: Uint8Array | null, limit: number): string {
  if (bytes === null) return `,"${name}":null`;
  const kept = limit === 0 ? bytes.length : cutUtf8(bytes, limit);
  const string = JSON.stringify(asBuffer(bytes).toString("utf8", 0, kept));
  return kept === bytes.length
    ? `,"${name}":${string}`
    : `,"${name}":${string},"${name}_truncated":true`;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function text(value: string | null): string {
  return value === null ? "null" : JSON.stringify(value);
}

/** One of the gateway's own words, in which there is nothing to escape. */
function word(value: string | null): string {
  return value === null ? "null" : `"${value}"`;
}

/** JSON has neither NaN nor infinities. */
function number(value: number | null): string {
  return value === null || !Number.isFinite(value) ? "null" : `${value}`;
}
