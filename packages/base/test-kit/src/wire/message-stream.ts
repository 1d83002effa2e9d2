import type { MessageBlock, MessageObject } from "./message-object.ts";
import { cutText } from "./pieces.ts";

export interface MessageStreamOptions {
  /** Characters in each delta. @default 5 */
  readonly pieceLength?: number;
}

type Event = readonly [type: string, members: object];

/** The events of a stream that adds up to the message, one buffer each. */
export function messageStream(
  message: MessageObject,
  { pieceLength = 5 }: MessageStreamOptions = {},
): Buffer[] {
  return [...messageEvents(message, pieceLength)].map(([type, members]) =>
    Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`),
  );
}

/** The same events as values: each one's type and its other members. */
export function* messageEvents(message: MessageObject, pieceLength: number): Generator<Event> {
  const { content, stop_reason, stop_sequence, usage } = message;
  const begun = { content: [], stop_reason: null, stop_sequence: null };
  yield [
    "message_start",
    { message: { ...message, ...begun, usage: { ...usage, output_tokens: 1 } } },
  ];
  yield ["ping", {}];
  for (const [index, block] of content.entries()) {
    yield ["content_block_start", { index, content_block: openBlock(block) }];
    for (const delta of deltasOf(block, pieceLength)) {
      yield ["content_block_delta", { index, delta }];
    }
    yield ["content_block_stop", { index }];
  }
  const { output_tokens } = usage;
  yield ["message_delta", { delta: { stop_reason, stop_sequence }, usage: { output_tokens } }];
  yield ["message_stop", {}];
}

function openBlock(block: MessageBlock): object {
  if (block.type === "text") return { ...block, text: "", citations: null };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  return block.type === "tool_use" || block.type === "server_tool_use"
    ? { ...block, input: {} }
    : block;
}

function* deltasOf(block: MessageBlock, pieceLength: number): Generator<object> {
  switch (block.type) {
    case "text":
      for (const text of cutText(block.text, pieceLength)) yield { type: "text_delta", text };
      for (const citation of block.citations ?? []) yield { type: "citations_delta", citation };
      break;
    case "thinking":
      for (const thinking of cutText(block.thinking, pieceLength))
        yield { type: "thinking_delta", thinking };
      yield { type: "signature_delta", signature: block.signature };
      break;
    case "tool_use":
    case "server_tool_use":
      // The service's first piece is empty.
      for (const partial_json of ["", ...cutText(JSON.stringify(block.input), pieceLength)])
        yield { type: "input_json_delta", partial_json };
  }
}
