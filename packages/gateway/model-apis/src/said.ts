import type { ModelAnswer, ToolCallPart } from "./conversation/model-answer.ts";
import { noTokens } from "./facts/token-counts.ts";
import type { AnswerEnd, AnswerHead, AnswerPiece } from "./live-answer.ts";

/** A part of an answer that is being generated. */
export type SaidPart =
  | { readonly kind: "text" | "reasoning"; text: string }
  | (Omit<ToolCallPart, "arguments"> & { readonly call: number; arguments: string });

/** What an answer has said so far. */
export class Said {
  readonly #parts: SaidPart[] = [];

  get parts(): readonly SaidPart[] {
    return this.#parts;
  }

  /**
   * Adds a piece to the part that it continues.
   * @returns the part, where it is, and whether the piece begins it; null: the piece belongs to no part
   */
  add(
    piece: AnswerPiece,
  ): { readonly part: SaidPart; readonly index: number; readonly begins: boolean } | null {
    const index = this.#indexFor(piece);
    const part = this.#parts[index];
    if (part === undefined) {
      const begun = partOf(piece);
      if (begun !== null) this.#parts.push(begun);
      return begun && { part: begun, index: this.#parts.length - 1, begins: true };
    }
    if (part.kind === "tool_call") part.arguments += "text" in piece ? piece.text : "";
    else part.text += "text" in piece ? piece.text : "";
    return { part, index, begins: false };
  }

  /** The answer for the writers of whole answers; before its end, as if it had ended here. */
  answer({ request_id, model, created }: AnswerHead, end: AnswerEnd | null): ModelAnswer {
    return {
      ...{ id: request_id, model, created },
      choices: [{ parts: this.#parts, finish: end?.finish ?? "stop" }],
      usage: { ...noTokens, ...end?.usage },
    };
  }

  #indexFor(piece: AnswerPiece): number {
    if (piece.kind === "tool_call") return -1;
    if (piece.kind === "arguments")
      return this.#parts.findLastIndex((part) => "call" in part && part.call === piece.call);
    const last = this.#parts.length - 1;
    return this.#parts[last]?.kind === piece.kind ? last : -1;
  }
}

function partOf(piece: AnswerPiece): SaidPart | null {
  if (piece.kind === "arguments") return null;
  if (piece.kind !== "tool_call") return { kind: piece.kind, text: piece.text };
  const { call, id: call_id, name } = piece;
  return { kind: "tool_call", call, call_id, name, arguments: "" };
}
