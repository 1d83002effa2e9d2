import { type Answer, createOwnAnswer } from "../pipeline/answer.ts";
import type { Call } from "../pipeline/call.ts";
import { type StopHead, writeChatStop, writeChatStopStream } from "./synthetic-stop-chat.ts";
import { type JsonObject, parseBesidesHistory } from "./synthetic-stop-request.ts";
import { writeResponseStop, writeResponseStopStream } from "./synthetic-stop-responses.ts";

/** What of a call the stop is made from. */
export type StoppedCall = Pick<Call, "endpoint" | "request_id" | "model" | "body" | "timings">;

/**
 * What a caller gets whose step budget is spent: an ordinary answer of the endpoint, streamed
 * where the request streams, that says so and ends an agent's loop.
 */
export function createSyntheticStop(call: StoppedCall): Answer {
  const { stream } = call.body;
  const type = stream ? "text/event-stream; charset=utf-8" : "application/json";
  const headers = ["content-type", type, "x-gateway-stop", "max_steps"];
  const text = writeStop(call);
  return createOwnAnswer(200, headers, stream ? "event_stream" : "plain", Buffer.from(text));
}

function writeStop(call: StoppedCall): string {
  try {
    return writeFor(call, parseBesidesHistory(call.body));
  } catch {
    // JSON.stringify may run out of stack on what JSON.parse could read: repeat nothing of it.
    return writeFor(call, {});
  }
}

function writeFor(call: StoppedCall, request: JsonObject): string {
  const head: StopHead = {
    request_id: call.request_id,
    model: call.model,
    created: Math.floor(call.timings.startedAt / 1000),
  };
  const { stream } = call.body;
  if (call.endpoint === "chat_completions") {
    return stream ? writeChatStopStream(head, request) : writeChatStop(head);
  }
  return stream ? writeResponseStopStream(head, request) : writeResponseStop(head, request);
}
