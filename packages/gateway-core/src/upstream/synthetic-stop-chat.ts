import { isJsonObject, type JsonObject } from "./synthetic-stop-request.ts";

/** What the answer is known by. */
export interface StopHead {
  readonly request_id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

export const STOP_TEXT = "[gateway] step budget reached";

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

export function writeChatStop(head: StopHead): string {
  const message = { role: "assistant", content: STOP_TEXT, refusal: null, annotations: [] };
  // Not `length`: the SDKs' parsing helpers throw on it.
  const choice = { index: 0, message, logprobs: null, finish_reason: "stop" };
  return JSON.stringify({
    ...members(head, "chat.completion"),
    choices: [choice],
    usage: noUsage,
  });
}

export function writeChatStopStream(head: StopHead, request: JsonObject): string {
  const options = request.stream_options;
  const usageWanted = isJsonObject(options) && options.include_usage === true;
  const shared = members(head, "chat.completion.chunk");
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null): string =>
    `data: ${JSON.stringify({ ...shared, choices, ...(usageWanted ? { usage } : {}) })}\n\n`;
  const delta = (delta: JsonObject, finish_reason: "stop" | null): string =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }], null);
  return [
    delta({ role: "assistant", content: "", refusal: null }, null),
    delta({ content: STOP_TEXT }, null),
    delta({}, "stop"),
    usageWanted ? chunk([], noUsage) : "",
    "data: [DONE]\n\n",
  ].join("");
}

function members({ request_id, created, model }: StopHead, object: string): JsonObject {
  return { id: `chatcmpl-${request_id}`, object, created, model };
}
