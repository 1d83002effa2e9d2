import { type MessageBlock, type MessageObject, messageObject } from "@proj/test-kit";
import fc from "fast-check";

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const citation = fc.record({ type: fc.constant("char_location"), cited_text: text });

const block: fc.Arbitrary<MessageBlock> = fc.oneof(
  fc.record({
    type: fc.constant("text" as const),
    text,
    citations: fc.option(fc.array(citation, { minLength: 1, maxLength: 2 })),
  }),
  fc.record({ type: fc.constant("thinking" as const), thinking: text, signature: text }),
  fc.record({ type: fc.constant("redacted_thinking" as const), data: text }),
  fc.record({
    type: fc.constantFrom("tool_use" as const, "server_tool_use" as const),
    id: text,
    name: text,
    input: fc.dictionary(
      text.filter((key) => key !== "__proto__"),
      fc.jsonValue(),
    ),
  }),
  fc.record({
    type: fc.constantFrom("web_search_tool_result" as const, "a_block_to_come" as const),
    tool_use_id: text,
    content: fc.jsonValue(),
  }),
);

export const messages: fc.Arbitrary<MessageObject> = fc
  .record({
    content: fc.array(block, { maxLength: 4 }),
    stop_reason: fc.constantFrom("end_turn", "tool_use", "refusal", "pause_turn", "stop_sequence"),
    stop_sequence: fc.option(text),
  })
  .map(messageObject);
