import { callId, type Exchange } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import type { Completion } from "./model.ts";
import { tokenId, tokenizePrompt, tokenLogprob } from "./tokens.ts";

/** The `chat.completion` object. */
export function writeChatCompletion(exchange: Exchange): JsonObject {
  const tokenIds = exchange.body.return_token_ids === true;
  return {
    ...chatHead(exchange, "chat.completion"),
    choices: exchange.completions.map((completion, index) => ({
      index,
      message: writeMessage(exchange, completion, index),
      logprobs: chatLogprobs(exchange, completion, completion.tokens),
      finish_reason: completion.finish,
      ...(tokenIds ? { token_ids: completion.tokens.map(tokenId) } : {}),
    })),
    usage: chatUsage(exchange),
    ...(tokenIds ? { prompt_token_ids: promptTokenIds(exchange) } : {}),
  };
}

export function chatHead(exchange: Exchange, object: string): JsonObject {
  return {
    id: `chatcmpl-${exchange.hash}`,
    object,
    created: exchange.created,
    model: exchange.prompt.model,
    service_tier: "default",
    system_fingerprint: "fp_demo",
  };
}

export function chatUsage({ prompt, completions }: Exchange): JsonObject {
  const promptTokens = tokenizePrompt(prompt.turns).length;
  const completionTokens = completions.reduce((sum, { tokens }) => sum + tokens.length, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Calls of tools carry no log probabilities. */
export function chatLogprobs(
  { prompt }: Exchange,
  completion: Completion,
  tokens: readonly string[],
): JsonObject | null {
  const top = prompt.topLogprobs;
  if (top === null || completion.tool !== null) return null;
  return { content: tokens.map((token) => tokenLogprob(token, top)), refusal: null };
}

export function promptTokenIds({ prompt }: Exchange): readonly number[] {
  return tokenizePrompt(prompt.turns).map(tokenId);
}

function writeMessage(exchange: Exchange, completion: Completion, index: number): JsonObject {
  const text = completion.tokens.join("");
  const rest = { role: "assistant", refusal: null, annotations: [] };
  if (completion.tool === null) return { ...rest, content: text };
  const call = { name: completion.tool, arguments: text };
  const id = callId(exchange, index);
  return { ...rest, content: null, tool_calls: [{ id, type: "function", function: call }] };
}
