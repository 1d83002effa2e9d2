import { Dice } from "./event-stream-writer.ts";
import type { MessageBlock, ModelMessage } from "./model-messages.ts";

type Json = Readonly<Record<string, unknown>>;

/** The events in which a server may stream a message, `message_stop` last. */
export function streamMessage(message: ModelMessage, seed: number): Json[] {
  const dice = new Dice(seed);
  const { content, stop_reason, stop_sequence, stop_details, container, usage } = message;
  const { server_tool_use: _, output_tokens_details: __, ...begun } = usage;
  const start = {
    ...{ ...message, content: [], container: null },
    ...{ stop_reason: null, stop_sequence: null, stop_details: null },
    usage: { ...begun, server_tool_use: null, output_tokens_details: null, output_tokens: 1 },
  };
  const events: Json[] = [
    { type: "message_start", message: start },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: openBlock(block) },
      ...deltasOf(block, dice).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage: endUsage(usage, dice),
    },
  ];
  // Both may come anywhere behind the start, and say nothing about the message.
  const others: Json[] = [{ type: "ping" }, { type: "an_event_to_come", message: "none" }];
  const [first = {}, ...rest] = events;
  const between = rest.flatMap((event) => [...others.filter(() => dice.roll(4) === 0), event]);
  return [first, ...between, { type: "message_stop" }];
}

/** The counts are of the whole message; those of the prompt may be omitted, as they have not changed. */
function endUsage(usage: ModelMessage["usage"], dice: Dice): Json {
  const { output_tokens, server_tool_use, output_tokens_details, input_tokens } = usage;
  const { cache_creation_input_tokens, cache_read_input_tokens } = usage;
  const prompt = { input_tokens, cache_creation_input_tokens, cache_read_input_tokens };
  return {
    ...{ output_tokens, server_tool_use, output_tokens_details },
    ...(dice.roll(2) === 0 ? prompt : {}),
  };
}

function openBlock(block: MessageBlock): Json {
  if (block.type === "text") return { ...block, text: "", citations: null };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  const isCall = block.type === "tool_use" || block.type === "server_tool_use";
  return isCall ? { ...block, input: {} } : { ...block };
}

function deltasOf(block: MessageBlock, dice: Dice): Json[] {
  if (block.type === "text") {
    const texts = dice.split(block.text).map((text): Json => ({ type: "text_delta", text }));
    const cited = (block.citations ?? []).map(
      (citation): Json => ({ type: "citations_delta", citation }),
    );
    return dice.interleave([texts, cited]);
  }
  if (block.type === "thinking") {
    const thoughts = dice.split(block.thinking);
    return [
      ...thoughts.map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: block.signature },
    ];
  }
  if (block.type !== "tool_use" && block.type !== "server_tool_use") return [];
  // The service's first piece is empty.
  return ["", ...dice.split(JSON.stringify(block.input))].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
}
