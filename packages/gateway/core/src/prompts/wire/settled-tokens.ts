import type { AnswerPiece } from "@proj/model-apis";
import { isJsonObject } from "@proj/model-apis/json";

/**
 * Finds behind which tokens of an unfinished answer an engine can go on in another request, whose parsers know nothing
 * of this one: those whose text has been given out, and that no tool call is open behind.
 */
export class SettledTokens {
  /** How many tokens, and how many pieces and tool calls of the answer they made. */
  tokens = 0;
  pieces = 0;
  calls = 0;
  readonly #lags: boolean;
  /** Texts of the tokens since, as far as the engine says them. */
  #texts: string[] = [];
  /** What was given out since, if the engine holds text back. */
  #given = "";
  #allTokens = 0;
  #allPieces = 0;
  #allCalls = 0;

  constructor(lags: boolean) {
    this.#lags = lags;
  }

  /** Nothing has been given out since. */
  get isAll(): boolean {
    return this.pieces === this.#allPieces;
  }

  /**
   * @param count how many tokens have come
   * @param entries their log probabilities, which say their texts
   * @param pieces what they made
   */
  add(count: number, entries: readonly unknown[], pieces: readonly AnswerPiece[]): void {
    for (let at = 0; at < count; at += 1) this.#texts.push(textOf(entries[at]));
    this.#allTokens += count;
    this.#allPieces += pieces.length;
    this.#allCalls += pieces.filter(({ kind }) => kind === "tool_call").length;
    const last = pieces.at(-1);
    if (last?.kind !== "text" && last?.kind !== "reasoning") return;
    this.#given = this.#lags ? this.#given + last.text : last.text;
    const covered = this.#covered(this.#given);
    if (covered === null) return;
    this.#texts.splice(0, covered);
    this.#given = "";
    this.tokens = this.#allTokens - this.#texts.length;
    this.pieces = this.#allPieces;
    this.calls = this.#allCalls;
  }

  /** How many of the tokens the given text ends with; null: it ends within one, or is not theirs. */
  #covered(given: string): number | null {
    const count = this.#texts.length;
    if (this.#lags && count <= maxHeldBack) {
      let text = "";
      for (const [at, own] of this.#texts.entries()) {
        text += own;
        if (text.endsWith(given)) return at + 1;
      }
    }
    let end = "";
    for (let at = count - 1; at >= 0 && end.length < given.length; at -= 1)
      end = this.#texts[at] + end;
    // An engine that says no texts is believed to give out all that it has.
    if (end === "") return count;
    return !this.#lags && (end.endsWith(given) || endsInBytes(this.#texts, given)) ? count : null;
  }
}

/**
 * Whether these tokens end with the given text, where some of them are bytes of a character, which their texts do not
 * show. Engines give such a character out with its last byte.
 */
function endsInBytes(texts: readonly string[], given: string): boolean {
  const end = texts.slice(-maxHeldBack).join("");
  const hidden = endOf(end, isHidden);
  if (hidden !== "" && end.slice(0, -hidden.length).endsWith(given)) return false;
  let rest = given;
  for (const part of end.split(/(\ufffd+)/).reverse()) {
    const length = Math.min(part.length, rest.length);
    if (length === 0) continue;
    const shown = isHidden(part.charAt(0)) ? endOf(rest, isBeyondAscii) : part.slice(-length);
    if (shown === "" || !rest.endsWith(shown)) return false;
    rest = rest.slice(0, rest.length - shown.length);
  }
  return rest === "";
}

/** A byte of a character. */
const isHidden = (character: string): boolean => character === "\ufffd";
const isBeyondAscii = (character: string): boolean => character > "\x7f";

/** The end of a text of which every character is one of these. */
function endOf(text: string, isOne: (character: string) => boolean): string {
  let at = text.length;
  while (at > 0 && isOne(text.charAt(at - 1))) at -= 1;
  return text.slice(at);
}

/** Beyond any stop text, in tokens. */
const maxHeldBack = 512;

function textOf(entry: unknown): string {
  const { token } = isJsonObject(entry) ? entry : {};
  return typeof token === "string" ? token : "";
}
