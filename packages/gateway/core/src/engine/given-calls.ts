import type { AnswerPiece } from "@proj/model-apis";
import type { CallReader } from "../prompts/index.ts";

export interface WholeCall {
  readonly name: string;
  readonly arguments: string;
}

/** Leaves the rest of an answer to the engine's own parser, which reads the whole of it at the end. */
export const unreadCalls: CallReader = { isLost: false, push: () => [] };

/** The tool calls of an answer, as far as the agent has got them. */
export class GivenCalls {
  readonly #calls = new Map<number, WholeCall>();

  add(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces) {
      if (piece.kind === "tool_call")
        this.#calls.set(piece.call, { name: piece.name, arguments: "" });
      if (piece.kind !== "arguments") continue;
      const { name = "", arguments: before = "" } = this.#calls.get(piece.call) ?? {};
      this.#calls.set(piece.call, { name, arguments: before + piece.text });
    }
  }

  /** What the agent has not got of these; null: it has got others. */
  restOf(whole: readonly WholeCall[], idOfCall: (call: number) => string): AnswerPiece[] | null {
    if (whole.length < this.#calls.size) return null;
    const rest: AnswerPiece[] = [];
    for (const [call, { name, arguments: text }] of whole.entries()) {
      const given = this.#calls.get(call);
      if (given === undefined) rest.push({ kind: "tool_call", call, id: idOfCall(call), name });
      else if (given.name !== name || !text.startsWith(given.arguments)) return null;
      const { length } = given?.arguments ?? "";
      if (text.length > length) rest.push({ kind: "arguments", call, text: text.slice(length) });
    }
    return rest;
  }
}
