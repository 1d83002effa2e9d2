import { asksForUsage, choiceIndices } from "../choices/choice-request.ts";
import type { StopHead, WriteStop } from "../endpoint.ts";
import type { JsonObject } from "../json/json-object.ts";
import { dataEvent } from "../streams/event-text.ts";

const noUsage: JsonObject = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

export const writeCompletionStop: WriteStop = (head, request, streams) =>
  streams ? writeStream(head, request) : writeWhole(head, request);

function writeWhole(head: StopHead, request: JsonObject): string {
  const choices = choiceIndices(request).map((index) => choice(index, head.text, "stop"));
  return JSON.stringify({ ...members(head), choices, usage: noUsage });
}

function writeStream(head: StopHead, request: JsonObject): string {
  const usageWanted = asksForUsage(request);
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null): string =>
    dataEvent({ ...members(head), choices, ...(usageWanted ? { usage } : {}) });
  const indices = choiceIndices(request);
  return [
    ...indices.map((index) => chunk([choice(index, head.text, null)], null)),
    ...indices.map((index) => chunk([choice(index, "", "stop")], null)),
    usageWanted ? chunk([], noUsage) : "",
    "data: [DONE]\n\n",
  ].join("");
}

function choice(index: number, text: string, finish_reason: "stop" | null): JsonObject {
  return { text, index, logprobs: null, finish_reason };
}

function members({ request_id, created, model }: StopHead): JsonObject {
  return { id: `cmpl-${request_id}`, object: "text_completion", created, model };
}
