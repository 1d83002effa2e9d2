import type { StopHead, WriteStop } from "../endpoint.ts";
import type { JsonObject } from "../json/json-object.ts";
import { typedEvent } from "../streams/event-text.ts";

const noUsage: JsonObject = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

const ended = { stop_reason: "end_turn", stop_sequence: null };

export const writeMessageStop: WriteStop = (head, _request, streams) =>
  streams
    ? writeStream(head)
    : JSON.stringify({ ...begun(head), content: [block(head.text)], ...ended });

function writeStream(head: StopHead): string {
  const index = 0;
  return [
    typedEvent("message_start", { message: begun(head) }),
    typedEvent("content_block_start", { index, content_block: block("") }),
    typedEvent("content_block_delta", { index, delta: { type: "text_delta", text: head.text } }),
    typedEvent("content_block_stop", { index }),
    typedEvent("message_delta", { delta: ended, usage: noUsage }),
    typedEvent("message_stop", {}),
  ].join("");
}

/** The message before it has any content. */
function begun({ request_id, model }: StopHead): JsonObject {
  return {
    id: `msg_${request_id}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: noUsage,
  };
}

const block = (text: string): JsonObject => ({ type: "text", text, citations: null });
