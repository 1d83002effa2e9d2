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
  readonly function_calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** @default "completed" */
  readonly status?: ResponseObject["status"];
  readonly id?: string;
  readonly model?: string;
}

/** A response object as an upstream returns it; the same parts give the same object. */
export function responseObject(parts: ResponseParts = {}): ResponseObject {
  const status = parts.status ?? "completed";
  return {
    id: parts.id ?? "resp_test",
    object: "response",
    created_at: 1_767_225_600,
    completed_at: status === "completed" ? 1_767_225_601 : null,
    status,
    error: status === "failed" ? { code: "server_error", message: "The model failed." } : null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: null,
    metadata: {},
    model: parts.model ?? "test-model",
    output: outputItems(parts, status === "completed" ? "completed" : "incomplete"),
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 16,
    },
  };
}

function outputItems(parts: ResponseParts, status: string): readonly ResponseItem[] {
  const { refusal, reasoning, function_calls: calls = [] } = parts;
  const spoken = calls.length === 0 && refusal === undefined;
  const text = parts.text ?? (spoken ? "Hello from upstream." : undefined);
  const content: ResponsePart[] = [];
  if (text !== undefined)
    content.push({ type: "output_text", text, annotations: [], logprobs: [] });
  if (refusal !== undefined) content.push({ type: "refusal", refusal });

  const items: ResponseItem[] = [];
  if (reasoning !== undefined) {
    items.push({
      id: "rs_test",
      type: "reasoning",
      summary: [{ type: "summary_text", text: reasoning }],
    });
  }
  if (content.length > 0) {
    items.push({ id: "msg_test", type: "message", status, role: "assistant", content });
  }
  for (const [at, call] of calls.entries()) {
    items.push({ id: `fc_${at}`, type: "function_call", status, call_id: `call_${at}`, ...call });
  }
  return items;
}
