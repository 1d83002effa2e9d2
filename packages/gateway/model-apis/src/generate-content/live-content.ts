import { camelMembers } from "../conversation/camel-members.ts";
import { type JsonObject, objectOf } from "../json/json-object.ts";
import type { AnswerEnd, AnswerHead, AnswerPiece, LiveAnswer } from "../live-answer.ts";
import { Said } from "../said.ts";
import { dataEvent } from "../streams/event-text.ts";
import { finishReasons, writeContentAnswer, writePart } from "./content-answer.ts";

/**
 * An answer of Google's API. Its calls are whole, so they are sent when all their arguments have come. It has thoughts
 * only if the request includes them: programs that do not ask take every text for the answer.
 */
export class LiveContent implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #showsThoughts: boolean;
  readonly #said = new Said();
  /** How many parts have been sent, perhaps with a text that goes on. */
  #sent = 0;
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
    const { generationConfig } = objectOf(camelMembers(head.request));
    const { includeThoughts } = objectOf(objectOf(generationConfig).thinkingConfig);
    this.#showsThoughts = includeThoughts === true;
  }

  begin(): string {
    return "";
  }

  piece(piece: AnswerPiece): string {
    if (piece.kind === "reasoning" && !this.#showsThoughts) return "";
    const isCall = piece.kind === "tool_call" || piece.kind === "arguments";
    if (!isCall && piece.text === "") return "";
    const added = this.#said.add(piece);
    if (added === null || isCall) return "";
    const calls = this.#sendCalls(added.index);
    this.#sent = added.index + 1;
    return calls + this.#say([writePart(piece, "")]);
  }

  end(end: AnswerEnd): string {
    const calls = this.#sendCalls(this.#said.parts.length);
    if (this.#said.parts.length === 0) this.#said.add({ kind: "text", text: "" });
    this.#end = end;
    return calls + this.#say([{ text: "" }]);
  }

  whole(): JsonObject {
    return writeContentAnswer(this.#said.answer(this.#head, this.#end));
  }

  /** The calls before a part that were not sent yet. */
  #sendCalls(before: number): string {
    const parts = this.#said.parts.slice(this.#sent, before).map((part) => writePart(part, ""));
    return parts.length === 0 ? "" : this.#say(parts);
  }

  #say(parts: readonly unknown[]): string {
    const { model, request_id } = this.#head;
    const end = this.#end;
    const finished = end === null ? {} : { finishReason: finishReasons[end.finish] };
    const candidates = [{ content: { parts, role: "model" }, ...finished, index: 0 }];
    const counted = end === null ? {} : { usageMetadata: this.whole().usageMetadata };
    return dataEvent({ candidates, ...counted, modelVersion: model, responseId: request_id });
  }
}
