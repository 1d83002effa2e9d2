import {
  parseBesidesHistory,
  type StopHead,
  type StopReason,
  stopTexts,
  type WriteStop,
} from "@proj/model-apis";
import { type Answer, createOwnAnswer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";

/** The members of a call that the stop is made from. */
export type StoppedCall = Pick<Call, "request_id" | "model" | "body" | "timings">;

/**
 * The answer for a caller whose budget is spent: an ordinary answer of the endpoint, streamed if the request
 * streams, which says so and ends an agent's loop.
 */
export function createSyntheticStop(
  call: StoppedCall,
  write: WriteStop,
  reason: StopReason,
): Answer {
  const { stream } = call.body;
  const type = stream ? "text/event-stream; charset=utf-8" : "application/json";
  const headers = ["content-type", type, "x-gateway-stop", reason];
  const text = writeStop(call, write, stopTexts[reason]);
  return createOwnAnswer(200, headers, stream ? "event_stream" : "plain", Buffer.from(text));
}

function writeStop(
  { request_id, model, body, timings }: StoppedCall,
  write: WriteStop,
  text: string,
): string {
  const created = Math.floor(timings.startedAt / 1_000);
  const head: StopHead = { request_id, model, created, text };
  try {
    return write(head, parseBesidesHistory(body), body.stream);
  } catch {
    // JSON.stringify can run out of stack on what JSON.parse could read. Then nothing of the request is
    // repeated.
    return write(head, {}, body.stream);
  }
}
