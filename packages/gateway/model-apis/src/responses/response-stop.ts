import { asksForJson, type StopHead, type WriteStop } from "../endpoint.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { echoRequest } from "./stop-echo.ts";

export const writeResponseStop: WriteStop = (head, request, streams) => {
  const echo = echoRequest(request);
  const part =
    isJsonObject(request.text) && asksForJson(request.text.format) ? refusal : outputText;
  return streams ? writeStream(head, echo, part) : JSON.stringify(completed(head, echo, part));
};

/** The only part of the answer's message. */
export interface Part {
  /** Also the name of its events. */
  readonly type: "output_text" | "refusal";
  readonly content: (text: string) => JsonObject;
  readonly delta: (text: string) => JsonObject;
  readonly done: (text: string) => JsonObject;
}

export const outputText: Part = {
  type: "output_text",
  content: (text) => ({ type: "output_text", text, annotations: [], logprobs: [] }),
  delta: (text) => ({ delta: text, logprobs: [] }),
  done: (text) => ({ text, logprobs: [] }),
};

const refusal: Part = {
  type: "refusal",
  content: (text) => ({ type: "refusal", refusal: text }),
  delta: (text) => ({ delta: text }),
  done: (text) => ({ refusal: text }),
};

function writeStream(head: StopHead, echo: JsonObject, part: Part): string {
  const response = { ...opened(head), ...echo };
  const item_id = itemId(head);
  const output_index = 0;
  const place = { item_id, output_index, content_index: 0 };
  const events: readonly (readonly [type: string, members: JsonObject])[] = [
    ["response.created", { response }],
    ["response.in_progress", { response }],
    ["response.output_item.added", { output_index, item: message(head, "in_progress", []) }],
    ["response.content_part.added", { ...place, part: part.content("") }],
    [`response.${part.type}.delta`, { ...place, ...part.delta(head.text) }],
    [`response.${part.type}.done`, { ...place, ...part.done(head.text) }],
    ["response.content_part.done", { ...place, part: part.content(head.text) }],
    ["response.output_item.done", { output_index, item: finishedMessage(head, part) }],
    ["response.completed", { response: completed(head, echo, part) }],
  ];
  return events
    .map(([type, members], sequence_number) => {
      // Not typedEvent, which hides that the request is nested too deeply to be repeated.
      const data = JSON.stringify({ type, sequence_number, ...members });
      return `event: ${type}\ndata: ${data}\n\n`;
    })
    .join("");
}

export const noUsage: JsonObject = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

function opened({ request_id, created, model }: StopHead): JsonObject {
  return {
    id: `resp_${request_id}`,
    object: "response",
    created_at: created,
    status: "in_progress",
    completed_at: null,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    usage: null,
  };
}

function completed(head: StopHead, echo: JsonObject, part: Part): JsonObject {
  return {
    ...opened(head),
    status: "completed",
    completed_at: head.created,
    output: [finishedMessage(head, part)],
    usage: noUsage,
    ...echo,
  };
}

export function finishedMessage(head: StopHead, part: Part): JsonObject {
  return message(head, "completed", [part.content(head.text)]);
}

function message(head: StopHead, status: string, content: readonly JsonObject[]): JsonObject {
  return { id: itemId(head), type: "message", status, role: "assistant", content };
}

function itemId({ request_id }: StopHead): string {
  return `msg_${request_id}`;
}
