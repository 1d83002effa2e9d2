export interface ChatCompletion {
  readonly id: string;
  readonly object: "chat.completion";
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ChatChoice[];
  readonly usage: ChatUsage;
  readonly prompt_token_ids?: readonly number[];
}

export interface ChatChoice {
  readonly index: number;
  readonly message: ChatMessage;
  readonly logprobs: { readonly content: readonly ChatLogprob[]; readonly refusal: null } | null;
  readonly finish_reason: string;
  readonly token_ids?: readonly number[];
}

export interface ChatMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly refusal: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ChatToolCall[];
}

export interface ChatToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
  readonly top_logprobs: readonly unknown[];
}

export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export interface ChatChoiceParts {
  /** @default "Hello from upstream.", or null if there are tool calls or a refusal */
  readonly content?: string | null;
  readonly refusal?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** @default "stop", or "tool_calls" if there are any */
  readonly finish_reason?: string;
  /** The content's tokens, each with a log probability. */
  readonly logprob_tokens?: readonly string[];
  readonly token_ids?: readonly number[];
}

export interface ChatCompletionParts extends ChatChoiceParts {
  /** Several choices, in place of the one that the other parts describe. */
  readonly choices?: readonly ChatChoiceParts[];
  readonly id?: string;
  readonly model?: string;
  readonly usage?: ChatUsage;
  readonly prompt_token_ids?: readonly number[];
}

/** A chat completion as an upstream returns it; the same parts give the same object. */
export function chatCompletion(parts: ChatCompletionParts = {}): ChatCompletion {
  return {
    id: parts.id ?? "chatcmpl-test",
    object: "chat.completion",
    created: 1_767_225_600,
    model: parts.model ?? "test-model",
    choices: (parts.choices ?? [parts]).map(chatChoice),
    usage: parts.usage ?? { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
    ...(parts.prompt_token_ids ? { prompt_token_ids: parts.prompt_token_ids } : {}),
  };
}

function chatChoice(parts: ChatChoiceParts, index: number): ChatChoice {
  const calls = parts.tool_calls ?? [];
  const spoken = calls.length === 0 && parts.refusal === undefined;
  const tokens = parts.logprob_tokens;
  const fallback = spoken ? (tokens?.join("") ?? "Hello from upstream.") : null;
  const message: ChatMessage = {
    role: "assistant",
    content: parts.content === undefined ? fallback : parts.content,
    refusal: parts.refusal ?? null,
    ...(parts.reasoning_content ? { reasoning_content: parts.reasoning_content } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map((call, at) => toolCall(call, index, at)) } : {}),
  };
  return {
    index,
    message,
    logprobs: tokens ? { content: tokens.map(logprob), refusal: null } : null,
    finish_reason: parts.finish_reason ?? (calls.length > 0 ? "tool_calls" : "stop"),
    ...(parts.token_ids ? { token_ids: parts.token_ids } : {}),
  };
}

function toolCall(call: ChatToolCall["function"], choice: number, at: number): ChatToolCall {
  return { id: `call_${choice}_${at}`, type: "function", function: { ...call } };
}

function logprob(token: string, at: number): ChatLogprob {
  return { token, logprob: -0.25 * (at + 1), bytes: [...Buffer.from(token)], top_logprobs: [] };
}
