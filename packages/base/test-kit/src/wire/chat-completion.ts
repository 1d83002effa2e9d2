import { endpointsByName, noTokens } from "@proj/model-apis";
import type { AnswerChoice, ModelAnswer, UtterancePart } from "@proj/model-apis/conversation";

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

/** A tool call that an upstream makes. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: string;
  /** @default the same in every answer */
  readonly call_id?: string;
}

export interface ChatChoiceParts {
  /** @default "Hello from upstream.", or null if there are tool calls or a refusal */
  readonly content?: string | null;
  readonly refusal?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly MadeCall[];
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
  const usage = parts.usage ?? { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
  const [first = {}, ...others] = parts.choices ?? [parts];
  const answer: ModelAnswer = {
    ...{ id: "test", model: parts.model ?? "test-model", created: 1_767_225_600 },
    choices: [answerChoice(first), ...others.map(answerChoice)],
    usage: { ...noTokens, ...usage },
  };
  const written: object = endpointsByName.chat_completions.writeAnswer?.(answer, {}) ?? {};
  const { choices, ...completion } = written as ChatCompletion;
  return {
    ...completion,
    ...(parts.id === undefined ? {} : { id: parts.id }),
    choices: choices.map((choice, at) => withTokens(choice, parts.choices?.[at] ?? parts)),
    ...(parts.prompt_token_ids ? { prompt_token_ids: parts.prompt_token_ids } : {}),
  };
}

function answerChoice(parts: ChatChoiceParts): AnswerChoice {
  const { refusal, reasoning_content: reasoning, tool_calls = [], logprob_tokens } = parts;
  const isSpoken = tool_calls.length === 0 && refusal === undefined;
  const said = isSpoken ? (logprob_tokens?.join("") ?? "Hello from upstream.") : "";
  const text = parts.content ?? (parts.content === null ? "" : said);
  const texts = Object.entries({ reasoning, text, refusal }).flatMap(([kind, given = ""]) =>
    given === "" ? [] : [{ kind, text: given } as UtterancePart],
  );
  const calls = tool_calls.map((call): UtterancePart => {
    return { kind: "tool_call", call_id: null, ...call };
  });
  return { parts: [...texts, ...calls], finish: calls.length > 0 ? "tool_calls" : "stop" };
}

/** The choice with what an upstream may say beside the answer. */
function withTokens(choice: ChatChoice, parts: ChatChoiceParts): ChatChoice {
  const { logprob_tokens, token_ids, finish_reason = choice.finish_reason, content } = parts;
  const message = content === null ? { ...choice.message, content } : choice.message;
  const logprobs = logprob_tokens && { content: logprob_tokens.map(logprob), refusal: null };
  return {
    ...{ ...choice, message, finish_reason, logprobs: logprobs ?? null },
    ...(token_ids ? { token_ids } : {}),
  };
}

function logprob(token: string, at: number): ChatLogprob {
  return { token, logprob: -0.25 * (at + 1), bytes: [...Buffer.from(token)], top_logprobs: [] };
}
