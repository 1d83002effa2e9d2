import { type Endpoint, noTokens, parseBesidesHistory, readAsked } from "@proj/model-apis";
import type { UtterancePart } from "@proj/model-apis/conversation";
import type { JsonObject } from "@proj/model-apis/json";
import { type Answer, createOwnAnswer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";

/** The members of a call that the stop is made from. */
export type StoppedCall = Pick<Call, "request_id" | "endpoint" | "model" | "body" | "timings">;

/** The setting whose budget is spent; callers read it from the header `x-gateway-stop`. */
export type StopReason = "max_steps" | "max_tokens" | "max_cost_usd";

export const stopTexts: Readonly<Record<StopReason, string>> = {
  max_steps: "[gateway] step budget reached",
  max_tokens: "[gateway] token budget reached",
  max_cost_usd: "[gateway] cost budget reached",
};

/**
 * The answer for a caller whose budget is spent: an ordinary answer of the endpoint, streamed if the request
 * streams, which says so and ends an agent's loop.
 * @param write the endpoint's `writeAnswer`
 */
export function createSyntheticStop(
  call: StoppedCall,
  write: NonNullable<Endpoint["writeAnswer"]>,
  reason: StopReason,
): Answer {
  const { stream } = call.body;
  const type = stream ? "text/event-stream; charset=utf-8" : "application/json";
  const headers = ["content-type", type, "x-gateway-stop", reason];
  const text = writeStop(call, write, stopTexts[reason]);
  return createOwnAnswer(200, headers, stream ? "event_stream" : "plain", Buffer.from(text));
}

function writeStop(
  call: StoppedCall,
  write: NonNullable<Endpoint["writeAnswer"]>,
  text: string,
): string {
  const { request_id: id, endpoint, model, body, timings } = call;
  const created = Math.floor(timings.startedAt / 1_000);
  const written = (request: JsonObject): string => {
    const asked = readAsked(request);
    // The API's own form for an answer that is not the requested JSON: the SDKs' parsing helpers would throw
    // otherwise, as they do on the finish reason `length`.
    const part: UtterancePart = { kind: asked.json ? "refusal" : "text", text };
    const choice = { parts: [part], finish: "stop" } as const;
    const more = Array.from({ length: asked.choices - 1 }, () => choice);
    const answer = { id, model, created, choices: [choice, ...more] as const, usage: noTokens };
    const object = write(answer, request);
    // Throws if the request is nested too deeply to be repeated, which the events would hide.
    const whole = JSON.stringify(object);
    const events = body.stream ? endpoint.writeStream : null;
    return events?.(object, { usage: asked.usage }).join("") ?? whole;
  };
  try {
    return written(parseBesidesHistory(body));
  } catch {
    // JSON.stringify can run out of stack on what JSON.parse could read. Then nothing of the request is
    // repeated.
    return written({});
  }
}
