import type { Endpoint } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { CallTimings } from "../call/timings.ts";
import { isCorsHeader } from "./origin-check.ts";

interface IdentifiedRequest {
  readonly endpoint: Endpoint;
  readonly request_id: string;
}

/**
 * The headers of a relayed answer: names and values in turn.
 * @param request whose id the answer gets if the upstream sent none
 * @param own the gateway's own
 * @param length of the body, if it is known and the answer does not give it
 */
export function answerHead(
  answer: Answer,
  { endpoint, request_id }: IdentifiedRequest,
  own: readonly string[],
  length: number | null,
): string[] {
  const { headers, format } = answer;
  // The gateway decides which pages may read its answers. Given two such headers, a browser obeys neither.
  const ownCors = own.some(isCorsHeader);
  const head: string[] = [];
  let hasLength = false;
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? "";
    if (ownCors && isCorsHeader(name)) continue;
    if (name === "content-length") {
      // A stream's length may differ from the upstream's: comments and error events are added.
      if (format === "event_stream") continue;
      hasLength = true;
    }
    head.push(name, headers[index + 1] ?? "");
  }
  if (length !== null && !hasLength) head.push("content-length", String(length));
  if (answer.upstream === null || answer.upstream.request_id === null)
    head.push(...requestIdHeaders(endpoint, request_id));
  for (const part of own) head.push(part);
  return head;
}

/** The gateway's own header, and the one in which the API's clients expect the request's id. */
export function requestIdHeaders(endpoint: Endpoint | null, request_id: string): string[] {
  const headers = ["x-request-id", request_id];
  const name = endpoint?.requestIdHeader ?? "x-request-id";
  if (name !== "x-request-id") headers.push(name, request_id);
  return headers;
}

/**
 * `Server-Timing` (W3C Server Timing) for an answer whose head is about to be written: the gateway's own time
 * so far, the wait for a place on the route, and the upstream's time to its first byte.
 */
export function serverTiming(timings: CallTimings): string {
  const { started, queued, placed, forwarded, firstByte, headersCame, upstreamEnded } = timings;
  const now = performance.now();
  const queue = queued === 0 ? 0 : (placed === 0 ? now : placed) - queued;
  const upstreamUntil = upstreamEnded !== 0 ? upstreamEnded : headersCame !== 0 ? headersCame : now;
  const upstream = forwarded === 0 ? 0 : upstreamUntil - forwarded;
  const ttfb = forwarded === 0 ? 0 : (firstByte || headersCame || now) - forwarded;
  const own = now - started - queue - upstream;
  return `${gatewayTime(own)}, queue;dur=${decimal(queue)}, upstream;dur=${decimal(ttfb)}`;
}

/** The metric of the gateway's own time, the only one if nothing is forwarded. */
export function gatewayTime(milliseconds: number): string {
  return `gateway;dur=${decimal(milliseconds)}`;
}

const thousandths = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(3, "0"));

/**
 * With three decimals; `toFixed` takes ten times as long. Two different clocks may yield slightly less than
 * zero.
 */
function decimal(milliseconds: number): string {
  const microseconds = Math.max(Math.round(milliseconds * 1_000), 0);
  const whole = Math.floor(microseconds / 1_000);
  return `${whole}.${thousandths[microseconds - whole * 1_000]}`;
}
