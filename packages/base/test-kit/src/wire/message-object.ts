/** An answer of Anthropic's Messages API. */
export interface MessageObject {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly MessageBlock[];
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly usage: MessageUsage;
}

export type MessageBlock =
  | { readonly type: "text"; readonly text: string; readonly citations: readonly object[] | null }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | MessageToolUse
  | MessageResult
  | MessageFallback;

/** Where one model declined, and another went on. */
export interface MessageFallback {
  readonly type: "fallback";
  readonly from: { readonly model: string };
  readonly to: { readonly model: string };
  readonly trigger: object;
}

/** A block of a type that the gateway does not know; it arrives whole. */
export interface MessageResult {
  readonly type: "web_search_tool_result" | "a_block_to_come";
  readonly tool_use_id: string;
  readonly content: unknown;
}

export interface MessageToolUse {
  readonly type: "tool_use" | "server_tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface MessageUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

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
