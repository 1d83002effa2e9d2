import { ANSWER_TEXT, plainResponse, STREAM_CHUNKS, streamWrites } from "./canned-answers.ts";

/** The same answers in the form of Anthropic's messages, with the same amount of text and number of events. */

const usage = { input_tokens: 211, output_tokens: 57 };
const message = {
  id: "msg_bench0000000000000001",
  type: "message",
  role: "assistant",
  model: "bench-model",
  stop_sequence: null,
};

export const MESSAGE_RESPONSE: Buffer = plainResponse(
  Buffer.from(
    JSON.stringify({
      ...message,
      content: [{ type: "text", text: ANSWER_TEXT }],
      stop_reason: "end_turn",
      usage,
    }),
  ),
);

export const MESSAGE_STREAM_WRITES: readonly Buffer[] = streamWrites(messageEvents());

function messageEvents(): string[] {
  const words = ANSWER_TEXT.split(" ");
  const begun = { ...message, content: [], stop_reason: null, usage };
  const before = [
    { type: "message_start", message: begun },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ];
  const after = [
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  const deltas = Array.from(
    { length: STREAM_CHUNKS - before.length - after.length },
    (_, index) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: ` ${words[index % words.length]}` },
    }),
  );
  return [...before, ...deltas, ...after].map(
    (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  );
}
