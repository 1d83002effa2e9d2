import { type Exchange, firstCompletion } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import { tokenizePrompt } from "./tokens.ts";

const stopReasons = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" } as const;

/** The message. */
export function writeMessage(exchange: Exchange): JsonObject {
  const { tokens, tool } = firstCompletion(exchange);
  const text = tokens.join("");
  const block =
    tool === null ? textBlock(text) : { ...toolBlock(exchange, tool), input: parseInput(text) };
  return { ...messageHead(exchange), content: [block], ...messageEnd(exchange) };
}

/** The message before it has any content. */
export function messageHead(exchange: Exchange): JsonObject {
  return {
    id: `msg_${exchange.hash}`,
    type: "message",
    role: "assistant",
    model: exchange.prompt.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: messageUsage(exchange, 1),
  };
}

/** The members that are known only at a message's end. */
export function messageEnd(exchange: Exchange): JsonObject {
  const { tokens, finish } = firstCompletion(exchange);
  return {
    stop_reason: stopReasons[finish],
    stop_sequence: null,
    usage: messageUsage(exchange, tokens.length),
  };
}

export const textBlock = (text: string): JsonObject => ({ type: "text", text, citations: null });

export const toolBlock = (exchange: Exchange, name: string): JsonObject => ({
  type: "tool_use",
  id: `toolu_${exchange.hash.slice(0, 24)}`,
  name,
  input: {},
});

/** The answer of `messages/count_tokens`. */
export function countTokens({ prompt }: Exchange): JsonObject {
  return { input_tokens: tokenizePrompt(prompt).length };
}

function messageUsage({ prompt }: Exchange, output_tokens: number): JsonObject {
  return {
    input_tokens: tokenizePrompt(prompt).length,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens,
    service_tier: "standard",
  };
}

/** Arguments cut by a token limit are not JSON; the answer is then an empty object. */
function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
