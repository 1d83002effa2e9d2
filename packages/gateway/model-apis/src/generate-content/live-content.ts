import type { JsonObject } from "../json/json-object.ts";
import {
  type AnswerEnd,
  type AnswerHead,
  type AnswerPiece,
  argumentsOf,
  type LiveAnswer,
} from "../live-answer.ts";
import { dataEvent } from "../streams/event-text.ts";
import { finishReasons } from "./content-answer.ts";
import { writeUsage } from "./content-usage.ts";

interface Call {
  readonly call: number;
  readonly id: string;
  readonly name: string;
  text: string;
}

/** An answer of Google's API. Its calls are whole, so they are sent when all their arguments have come. */
export class LiveContent implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #parts: JsonObject[] = [];
  #calls: Call[] = [];
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  begin(): string {
    return "";
  }

  piece(piece: AnswerPiece): string {
    if (piece.kind === "tool_call") {
      const { call, id, name } = piece;
      this.#calls.push({ call, id, name, text: "" });
      return "";
    }
    if (piece.kind === "arguments") {
      const called = this.#calls.find(({ call }) => call === piece.call);
      if (called !== undefined) called.text += piece.text;
      return "";
    }
    const { text } = piece;
    if (text === "") return "";
    const part = piece.kind === "text" ? { text } : { text, thought: true };
    return this.#endCalls() + this.#say([part]);
  }

  end(end: AnswerEnd): string {
    const calls = this.#endCalls();
    this.#end = end;
    return calls + this.#say([{ text: "" }], this.#ending(end));
  }

  whole(): JsonObject {
    const ending = this.#end === null ? {} : this.#ending(this.#end);
    return this.#answer(this.#parts, ending);
  }

  #endCalls(): string {
    const parts = this.#calls.map(({ id, name, text }) => {
      return { functionCall: { id, name, args: argumentsOf(text) } };
    });
    this.#calls = [];
    return parts.length === 0 ? "" : this.#say(parts);
  }

  #say(parts: readonly JsonObject[], ending: Ending = {}): string {
    for (const part of parts) this.#remember(part);
    return dataEvent(this.#answer(parts, ending));
  }

  #remember(part: JsonObject): void {
    const last = this.#parts.at(-1);
    const { text, thought } = part;
    if (last !== undefined && text === "") return;
    const goesOn =
      typeof text === "string" && typeof last?.text === "string" && last.thought === thought;
    if (goesOn) this.#parts[this.#parts.length - 1] = { ...last, text: `${last.text}${text}` };
    else this.#parts.push(part);
  }

  #ending({ finish, usage }: AnswerEnd): Ending {
    const { prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens } = usage;
    const counts = { prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens };
    return {
      finishReason: finishReasons[finish],
      usageMetadata: writeUsage({ ...counts, cache_write_tokens: null }),
    };
  }

  #answer(parts: readonly JsonObject[], { finishReason, usageMetadata }: Ending): JsonObject {
    const { model, request_id } = this.#head;
    const finished = finishReason === undefined ? {} : { finishReason };
    return {
      candidates: [{ content: { parts, role: "model" }, ...finished, index: 0 }],
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
      modelVersion: model,
      responseId: request_id,
    };
  }
}

/** Nothing while the answer goes on. */
interface Ending {
  readonly finishReason?: string;
  readonly usageMetadata?: JsonObject;
}
