import { asksForUsage, choiceIndices } from "../choices/choice-request.ts";
import { asksForJson, type StopHead, type WriteStop } from "../endpoint.ts";
import type { JsonObject } from "../json/json-object.ts";
import { dataEvent } from "../streams/event-text.ts";

const noUsage: JsonObject = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

export const writeChatStop: WriteStop = (head, request, streams) =>
  streams ? writeStream(head, request) : writeWhole(head, request);

function writeWhole(head: StopHead, request: JsonObject): string {
  const said = asksForJson(request.response_format)
    ? { content: null, refusal: head.text }
    : { content: head.text, refusal: null };
  const message = { role: "assistant", ...said, annotations: [] };
  return JSON.stringify({
    ...members(head, "chat.completion"),
    // Not `length`: the SDKs' parsing helpers throw on it.
    choices: choiceIndices(request).map((index) => {
      return { index, message, logprobs: null, finish_reason: "stop" };
    }),
    usage: noUsage,
  });
}

function writeStream(head: StopHead, request: JsonObject): string {
  const usageWanted = asksForUsage(request);
  const shared = members(head, "chat.completion.chunk");
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null): string =>
    dataEvent({ ...shared, choices, ...(usageWanted ? { usage } : {}) });
  const indices = choiceIndices(request);
  const delta = (delta: JsonObject, finish_reason: "stop" | null): string =>
    indices.map((index) => chunk([{ index, delta, logprobs: null, finish_reason }], null)).join("");
  const refuses = asksForJson(request.response_format);
  return [
    delta({ role: "assistant", content: refuses ? null : "", refusal: null }, null),
    delta(refuses ? { refusal: head.text } : { content: head.text }, null),
    delta({}, "stop"),
    usageWanted ? chunk([], noUsage) : "",
    "data: [DONE]\n\n",
  ].join("");
}

function members({ request_id, created, model }: StopHead, object: string): JsonObject {
  return { id: `chatcmpl-${request_id}`, object, created, model };
}
