import { STOP_TEXT, type StopHead } from "./synthetic-stop-chat.ts";
import { echoRequest } from "./synthetic-stop-echo.ts";
import type { JsonObject } from "./synthetic-stop-request.ts";

export function writeResponseStop(head: StopHead, request: JsonObject): string {
  const echo = echoRequest(request);
  return JSON.stringify(completed(head, echo));
}

export function writeResponseStopStream(head: StopHead, request: JsonObject): string {
  const echo = echoRequest(request);
  const response = { ...opened(head), ...echo };
  const item_id = itemId(head);
  const output_index = 0;
  const place = { item_id, output_index, content_index: 0 };
  const text = { text: STOP_TEXT, logprobs: [] };
  const events: readonly (readonly [type: string, members: JsonObject])[] = [
    ["response.created", { response }],
    ["response.in_progress", { response }],
    ["response.output_item.added", { output_index, item: message(head, "in_progress", []) }],
    ["response.content_part.added", { ...place, part: textPart("") }],
    ["response.output_text.delta", { ...place, delta: STOP_TEXT, logprobs: [] }],
    ["response.output_text.done", { ...place, ...text }],
    ["response.content_part.done", { ...place, part: textPart(STOP_TEXT) }],
    ["response.output_item.done", { output_index, item: finishedMessage(head) }],
    ["response.completed", { response: completed(head, echo) }],
  ];
  return events
    .map(([type, members], sequence_number) => {
      const data = JSON.stringify({ type, sequence_number, ...members });
      return `event: ${type}\ndata: ${data}\n\n`;
    })
    .join("");
}

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

function completed(head: StopHead, echo: JsonObject): JsonObject {
  return {
    ...opened(head),
    status: "completed",
    completed_at: head.created,
    output: [finishedMessage(head)],
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    },
    ...echo,
  };
}

function finishedMessage(head: StopHead): JsonObject {
  return message(head, "completed", [textPart(STOP_TEXT)]);
}

function message(head: StopHead, status: string, content: readonly JsonObject[]): JsonObject {
  return { id: itemId(head), type: "message", status, role: "assistant", content };
}

function itemId({ request_id }: StopHead): string {
  return `msg_${request_id}`;
}

function textPart(text: string): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
