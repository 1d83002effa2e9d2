import { callId, type Exchange } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import type { Completion } from "./model.ts";
import { callTokens, thinkingTokens, tokenId, tokenizePrompt, tokenLogprob } from "./tokens.ts";

/** The `chat.completion` object. */
export function writeChatCompletion(exchange: Exchange): JsonObject {
  const tokenIds = exchange.body.return_token_ids === true;
  return {
    ...chatHead(exchange, "chat.completion"),
    choices: exchange.completions.map((completion, index) => ({
      index,
      message: writeMessage(exchange, completion, index),
      logprobs: chatLogprobs(exchange, completion, completionTokens(completion)),
      finish_reason: completion.finish,
      ...(tokenIds ? { token_ids: completionTokens(completion).map(tokenId) } : {}),
    })),
    usage: chatUsage(exchange),
    ...weightVersions(exchange),
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
  const promptTokens = tokenizePrompt(prompt).length;
  const written = completions.reduce((sum, one) => sum + completionTokens(one).length, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: written,
    total_tokens: promptTokens + written,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Everything the model wrote, exactly as written. */
export function completionTokens(completion: Completion): readonly string[] {
  const { thinking, tokens, tool } = completion;
  const call = tool === null ? [] : callTokens({ name: tool, arguments: "" });
  return [...thinkingTokens(thinking), ...call, ...tokens];
}

/** Which weights wrote which tokens, in SGLang's form for weights that changed during an answer. */
export function weightVersions({ prompt, completions }: Exchange): JsonObject {
  const { weight_versions: versions } = prompt.toys;
  if (versions.length === 0) return {};
  const { length } = completions[0] === undefined ? [] : completionTokens(completions[0]);
  const bound = (part: number): number => Math.round((part * length) / versions.length);
  const spans = versions.map((version, part) => ({
    version,
    start: bound(part),
    end: bound(part + 1),
  }));
  return { metadata: { weight_versions: spans } };
}

/** OpenAI gives none for tool calls; vLLM, which also gives token ids, does. */
export function chatLogprobs(
  { prompt, body }: Exchange,
  completion: Completion,
  tokens: readonly string[],
): JsonObject | null {
  const top = prompt.topLogprobs;
  if (top === null || (completion.tool !== null && body.return_token_ids !== true)) return null;
  return { content: tokens.map((token) => tokenLogprob(token, top)), refusal: null };
}

export function promptTokenIds({ prompt }: Exchange): readonly number[] {
  return tokenizePrompt(prompt).map(tokenId);
}

function writeMessage(exchange: Exchange, completion: Completion, index: number): JsonObject {
  const text = completion.tokens.join("");
  const { thinking } = completion;
  const reasoning = thinking === "" ? {} : { reasoning_content: thinking };
  const rest = { role: "assistant", refusal: null, annotations: [], ...reasoning };
  if (completion.tool === null) return { ...rest, content: text };
  const call = { name: completion.tool, arguments: text };
  const id = callId(exchange, index);
  return { ...rest, content: null, tool_calls: [{ id, type: "function", function: call }] };
}
