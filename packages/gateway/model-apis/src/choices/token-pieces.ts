import type { StreamOptions } from "../conversation/model-answer.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** A piece of a choice's text, and what its chunk says beside it. */
export interface Piece {
  readonly text: string;
  readonly told: JsonObject;
}

/** Cuts the texts of one choice, in their order: by its tokens if they are known, each with its log probability and id. */
export class TokenPieces {
  readonly #cut: (text: string) => readonly string[];
  readonly #tokens: readonly string[];
  readonly #logprobs: readonly unknown[] | null;
  readonly #ids: readonly unknown[] | null;
  #at = 0;

  constructor(choice: JsonObject, index: number, { cut, tokens }: StreamOptions) {
    this.#cut = cut ?? ((text) => [text]);
    this.#tokens = tokens?.[index] ?? [];
    const { logprobs, token_ids } = choice;
    this.#logprobs = this.#oneForEach(isJsonObject(logprobs) ? logprobs.content : null);
    this.#ids = this.#oneForEach(token_ids);
  }

  of(text: string): Piece[] {
    const pieces: Piece[] = [];
    let rest = text;
    while (rest !== "" && this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at] ?? "";
      const isHere = token !== "" && rest.startsWith(token);
      if (isHere) rest = rest.slice(token.length);
      pieces.push({ text: isHere ? token : "", told: this.#tell() });
    }
    if (rest !== "") pieces.push(...this.#cut(rest).map((piece) => ({ text: piece, told: {} })));
    return pieces;
  }

  /** The tokens after the last text. */
  rest(): Piece[] {
    const pieces: Piece[] = [];
    while (this.#at < this.#tokens.length) pieces.push({ text: "", told: this.#tell() });
    return pieces;
  }

  /** The choice's members without those that the pieces tell. */
  left({ logprobs, token_ids, ...members }: JsonObject): JsonObject {
    return {
      ...members,
      ...(logprobs === undefined ? {} : { logprobs: this.#logprobs === null ? logprobs : null }),
      ...(token_ids === undefined || this.#ids !== null ? {} : { token_ids }),
    };
  }

  #tell(): JsonObject {
    const at = this.#at++;
    return {
      ...(this.#logprobs && { logprobs: { content: [this.#logprobs[at]], refusal: null } }),
      ...(this.#ids && { token_ids: [this.#ids[at]] }),
    };
  }

  #oneForEach(list: unknown): readonly unknown[] | null {
    const { length } = this.#tokens;
    return Array.isArray(list) && length > 0 && list.length === length ? list : null;
  }
}
