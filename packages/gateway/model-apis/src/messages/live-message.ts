import type { JsonObject } from "../json/json-object.ts";
import type { AnswerEnd, AnswerHead, AnswerPiece, LiveAnswer } from "../live-answer.ts";
import { Said } from "../said.ts";
import { typedEvent } from "../streams/event-text.ts";
import { writeBlock, writeMessageAnswer } from "./message-answer.ts";
import { openBlock } from "./message-stream.ts";

/** A message of Anthropic's API. */
export class LiveMessage implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #said = new Said();
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  begin(): string {
    const { prompt_tokens } = this.#head;
    const usage = { prompt_tokens, cached_tokens: 0, completion_tokens: 0, reasoning_tokens: 0 };
    const end = { finish: "stop", stop_sequence: null, usage } as const;
    const message = writeMessageAnswer(new Said().answer(this.#head, end));
    return typedEvent("message_start", { message: { ...message, stop_reason: null } });
  }

  piece(piece: AnswerPiece): string {
    const added = this.#said.add(piece);
    if (added === null) return "";
    const { index, begins } = added;
    const opened = begins ? this.#close(index - 1) + this.#open(index) : "";
    if (piece.kind === "tool_call" || piece.text === "") return opened;
    const delta = deltas[piece.kind](piece.text);
    return opened + typedEvent("content_block_delta", { index, delta });
  }

  end(end: AnswerEnd): string {
    // A model that ends its turn at once has said an empty text: without any block it would seem to have failed.
    const isEmpty = this.#said.parts.length === 0;
    const nothing = isEmpty ? this.piece({ kind: "text", text: "" }) : "";
    this.#end = end;
    const { stop_reason, stop_sequence, usage } = this.whole();
    return [
      nothing,
      this.#close(this.#said.parts.length - 1),
      typedEvent("message_delta", { delta: { stop_reason, stop_sequence }, usage }),
      typedEvent("message_stop", {}),
    ].join("");
  }

  whole(): JsonObject {
    const stop_sequence = this.#end?.stop_sequence ?? null;
    return {
      ...writeMessageAnswer(this.#said.answer(this.#head, this.#end)),
      ...(stop_sequence === null ? {} : { stop_reason: "stop_sequence", stop_sequence }),
    };
  }

  #block(index: number): JsonObject {
    const part = this.#said.parts[index];
    return (part && writeBlock(part, "")) ?? {};
  }

  #open(index: number): string {
    const content_block = openBlock(this.#block(index)).begin;
    return typedEvent("content_block_start", { index, content_block });
  }

  #close(index: number): string {
    if (index < 0) return "";
    const { signature } = this.#block(index);
    const delta = { type: "signature_delta", signature };
    const signed =
      signature === undefined ? "" : typedEvent("content_block_delta", { index, delta });
    return signed + typedEvent("content_block_stop", { index });
  }
}

const deltas = {
  text: (text: string): JsonObject => ({ type: "text_delta", text }),
  reasoning: (thinking: string): JsonObject => ({ type: "thinking_delta", thinking }),
  arguments: (partial_json: string): JsonObject => ({ type: "input_json_delta", partial_json }),
};
