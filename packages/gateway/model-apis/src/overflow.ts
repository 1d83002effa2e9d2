import type { ApiError } from "./api-error.ts";

/** A request that does not fit into a model's context, in tokens. */
export interface Overflow {
  readonly limit: number;
  /** Of the prompt. */
  readonly prompt: number;
  /** How many the answer may have; null: the prompt alone is too long. */
  readonly answer: number | null;
}

export type OverflowError = Pick<ApiError, "message" | "param" | "code">;

/** Agents shorten their history when the API that they speak says this, in the words and codes of its own service. */
const code = "context_length_exceeded";

export function openaiOverflow({ limit, prompt, answer }: Overflow, param: string): OverflowError {
  const asked =
    answer === null
      ? `your messages resulted in ${prompt} tokens. Please reduce the length of the messages.`
      : `you requested ${prompt + answer} tokens (${prompt} in the messages, ${answer} in the completion). Please reduce the length of the messages or completion.`;
  const message = `This model's maximum context length is ${limit} tokens. However, ${asked}`;
  return { message, param, code };
}

/** Claude Code compacts at the first, and asks for a shorter answer at the second. */
export function anthropicOverflow({ limit, prompt, answer }: Overflow): OverflowError {
  const message =
    answer === null
      ? `prompt is too long: ${prompt} tokens > ${limit} maximum`
      : `input length and \`max_tokens\` exceed context limit: ${prompt} + ${answer} > ${limit}, decrease input length or \`max_tokens\` and try again`;
  return { message, param: null, code };
}

export function googleOverflow({ limit, prompt, answer }: Overflow): OverflowError {
  const tokens = prompt + (answer ?? 0);
  const what = answer === null ? "input token count" : "count of input tokens and maxOutputTokens";
  const message = `The ${what} (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`;
  return { message, param: null, code };
}
