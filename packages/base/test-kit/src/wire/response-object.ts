import { endpointsByName, noTokens } from "@proj/model-apis";
import type { UtterancePart } from "@proj/model-apis/conversation";
import type { MadeCall } from "./chat-completion.ts";

export interface ResponseObject {
  readonly id: string;
  readonly object: "response";
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: "completed" | "incomplete" | "failed";
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly instructions: null;
  readonly metadata: object;
  readonly model: string;
  readonly output: readonly ResponseItem[];
  readonly parallel_tool_calls: boolean;
  readonly temperature: number;
  readonly tool_choice: string;
  readonly tools: readonly object[];
  readonly top_p: number;
  readonly usage: ResponseUsage;
}

export type ResponseItem = ResponseMessage | ResponseFunctionCall | ResponseReasoning;

export interface ResponseMessage {
  readonly id: string;
  readonly type: "message";
  readonly status: string;
  readonly role: "assistant";
  readonly content: readonly ResponsePart[];
}

export type ResponsePart =
  | {
      readonly type: "output_text";
      readonly text: string;
      readonly annotations: readonly object[];
      readonly logprobs: readonly object[];
    }
  | { readonly type: "refusal"; readonly refusal: string };

export interface ResponseFunctionCall {
  readonly id: string;
  readonly type: "function_call";
  readonly status: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ResponseReasoning {
  readonly id: string;
  readonly type: "reasoning";
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
}

export interface ResponseUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens: number;
  };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

export interface ResponseParts {
  /** @default "Hello from upstream.", or none if there are function calls or a refusal */
  readonly text?: string;
  readonly refusal?: string;
  /** The summary of a reasoning item that precedes the rest. */
  readonly reasoning?: string;
  readonly function_calls?: readonly MadeCall[];
  /** @default "completed" */
  readonly status?: ResponseObject["status"];
  readonly id?: string;
  readonly model?: string;
}

/** A response object as an upstream returns it; the same parts give the same object. */
export function responseObject(parts: ResponseParts = {}): ResponseObject {
  const { status = "completed", refusal, reasoning, function_calls = [] } = parts;
  const isSpoken = function_calls.length === 0 && refusal === undefined;
  const text = parts.text ?? (isSpoken ? "Hello from upstream." : undefined);
  const texts = Object.entries({ reasoning, text, refusal }).flatMap(([kind, given]) =>
    given === undefined ? [] : [{ kind, text: given } as UtterancePart],
  );
  const calls = function_calls.map((call): UtterancePart => {
    return { kind: "tool_call", call_id: null, ...call };
  });
  const finish = status === "incomplete" ? "length" : "stop";
  const answer = {
    ...{ id: "test", model: parts.model ?? "test-model", created: 1_767_225_600 },
    choices: [{ parts: [...texts, ...calls], finish }] as const,
    usage: { ...noTokens, prompt_tokens: 11, completion_tokens: 5 },
  };
  const written: object = endpointsByName.responses.writeAnswer?.(answer, {}) ?? {};
  const error = { code: "server_error", message: "The model failed." };
  return {
    ...(written as ResponseObject),
    ...(parts.id === undefined ? {} : { id: parts.id }),
    ...(status === "failed" ? { status, error, completed_at: null } : {}),
  };
}
