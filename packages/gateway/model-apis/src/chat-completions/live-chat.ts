import type { JsonObject } from "../json/json-object.ts";
import type {
  AnswerEnd,
  AnswerHead,
  AnswerPiece,
  AnswerUsage,
  LiveAnswer,
} from "../live-answer.ts";
import { readAsked } from "../requests/asked.ts";
import { dataEvent } from "../streams/event-text.ts";

interface Call {
  readonly id: string;
  readonly name: string;
  text: string;
}

/** A chat completion. */
export class LiveChat implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #usageWanted: boolean;
  readonly #calls: Call[] = [];
  readonly #logprobs: unknown[] = [];
  #text: string | null = null;
  #reasoning = "";
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
    this.#usageWanted = readAsked(head.request).usage;
  }

  begin(): string {
    return this.#chunk({ role: "assistant", content: null, refusal: null });
  }

  piece(piece: AnswerPiece): string {
    if (piece.kind === "tool_call") {
      const { id, name, call: index } = piece;
      this.#calls[index] = { id, name, text: "" };
      const begun = { index, id, type: "function", function: { name, arguments: "" } };
      return this.#chunk({ tool_calls: [begun] });
    }
    if (piece.kind === "arguments") {
      const { call: index, text } = piece;
      const call = this.#calls[index];
      if (call === undefined || text === "") return "";
      call.text += text;
      return this.#chunk({ tool_calls: [{ index, function: { arguments: text } }] });
    }
    const { kind, text, logprobs } = piece;
    const { content } = logprobs ?? {};
    if (Array.isArray(content)) this.#logprobs.push(...content);
    if (kind === "text") this.#text = (this.#text ?? "") + text;
    else this.#reasoning += text;
    const delta = kind === "text" ? { content: text } : { reasoning_content: text };
    return this.#chunk(delta, null, logprobs ?? null);
  }

  end(end: AnswerEnd): string {
    this.#end = end;
    // A model that ends its turn at once has said an empty text.
    const isEmpty = this.#text === null && this.#reasoning === "" && this.#calls.length === 0;
    const nothing = isEmpty ? this.piece({ kind: "text", text: "" }) : "";
    const usage = this.#usageWanted
      ? dataEvent({ ...this.#members(), choices: [], usage: usageOf(end.usage) })
      : "";
    return `${nothing}${this.#chunk({}, end.finish)}${usage}data: [DONE]\n\n`;
  }

  whole(): JsonObject {
    const { id, created, model } = this.#members();
    const tool_calls = this.#calls.map(({ id, name, text }) => {
      return { id, type: "function", function: { name, arguments: text } };
    });
    const message = {
      role: "assistant",
      content: this.#text,
      refusal: null,
      ...(this.#reasoning === "" ? {} : { reasoning_content: this.#reasoning }),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
    };
    const logprobs =
      this.#logprobs.length === 0 ? null : { content: this.#logprobs, refusal: null };
    const finish_reason = this.#end?.finish ?? null;
    return {
      id,
      object: "chat.completion",
      created,
      model,
      choices: [{ index: 0, message, logprobs, finish_reason }],
      ...(this.#end === null ? {} : { usage: usageOf(this.#end.usage) }),
    };
  }

  #members(): { readonly id: string } & JsonObject {
    const { request_id, created, model } = this.#head;
    return { id: `chatcmpl-${request_id}`, object: "chat.completion.chunk", created, model };
  }

  #chunk(
    delta: JsonObject,
    finish_reason: string | null = null,
    logprobs: JsonObject | null = null,
  ): string {
    const usage = this.#usageWanted ? { usage: null } : {};
    const choices = [{ index: 0, delta, logprobs, finish_reason }];
    return dataEvent({ ...this.#members(), choices, ...usage });
  }
}

function usageOf({
  prompt_tokens,
  cached_tokens,
  completion_tokens,
  reasoning_tokens,
}: AnswerUsage): JsonObject {
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens },
    completion_tokens_details: { reasoning_tokens },
  };
}
