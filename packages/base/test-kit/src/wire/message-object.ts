/** An answer of Anthropic's Messages API. */
export interface MessageObject {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly MessageBlock[];
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly usage: Readonly<Record<string, number>>;
}

/** A block of any type, as the API sends it. */
export type MessageBlock = Readonly<Record<string, unknown>>;

export interface MessageParts {
  /** @default one block of text, "Hello there" */
  readonly content?: readonly MessageBlock[];
  /** @default "claude-test" */
  readonly model?: string;
  /** @default "end_turn" */
  readonly stop_reason?: string;
  /** @default null */
  readonly stop_sequence?: string | null;
}

/** A message with 11 prompt tokens, most of them read from a cache, and 5 tokens in its answer. */
export function messageObject(parts: MessageParts = {}): MessageObject {
  const { model = "claude-test", stop_reason = "end_turn", stop_sequence = null } = parts;
  const { content = [{ type: "text", text: "Hello there", citations: null }] } = parts;
  const usage = {
    input_tokens: 2,
    cache_creation_input_tokens: 1,
    cache_read_input_tokens: 8,
    output_tokens: 5,
  };
  return {
    id: "msg_test",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason,
    stop_sequence,
    usage,
  };
}
