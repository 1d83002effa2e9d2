import fc from "fast-check";

export type MessageBlock =
  | { readonly type: "text"; readonly text: string; readonly citations: readonly object[] | null }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | {
      readonly type: "tool_use" | "server_tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    }
  // They arrive whole.
  | {
      readonly type:
        | "redacted_thinking"
        | "fallback"
        | "web_search_tool_result"
        | "a_block_to_come";
    };

/** A message as the API returns it, whose usage has more than the counts that every message has. */
export interface ModelMessage {
  readonly content: readonly MessageBlock[];
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly stop_details: object | null;
  readonly container: object | null;
  readonly usage: Readonly<Record<string, unknown>> & {
    readonly input_tokens: number;
    readonly cache_creation_input_tokens: number;
    readonly cache_read_input_tokens: number;
  };
}

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

const ending = fc.oneof(
  fc.record({
    stop_reason: fc.constantFrom("end_turn", "tool_use", "pause_turn", "max_tokens"),
    stop_sequence: fc.constant(null),
    stop_details: fc.constant(null),
  }),
  fc.record({
    stop_reason: fc.constant("stop_sequence"),
    stop_sequence: fc.option(text),
    stop_details: fc.constant(null),
  }),
  fc.record({
    stop_reason: fc.constant("refusal"),
    stop_sequence: fc.constant(null),
    stop_details: fc.record({ type: fc.constant("refusal"), explanation: fc.option(text) }),
  }),
);

const usage = fc.record({
  input_tokens: fc.nat(),
  cache_creation_input_tokens: fc.nat(),
  cache_read_input_tokens: fc.nat(),
  cache_creation: fc.option(fc.record({ ephemeral_5m_input_tokens: fc.nat() })),
  server_tool_use: fc.option(fc.record({ web_search_requests: fc.nat() })),
  output_tokens_details: fc.option(fc.record({ thinking_tokens: fc.nat() })),
  service_tier: fc.constantFrom("standard", "priority"),
  output_tokens: fc.nat(),
});

export const messages: fc.Arbitrary<ModelMessage> = fc
  .record({
    content: fc.array(block, { maxLength: 4 }),
    ending,
    usage,
    container: fc.option(fc.record({ id: text, expires_at: text })),
  })
  .map(({ ending: ended, ...members }) => ({
    ...{ id: "msg_test", type: "message", role: "assistant", model: "claude-test" },
    ...ended,
    ...members,
  }));
