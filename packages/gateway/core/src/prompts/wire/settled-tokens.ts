import type { AnswerPiece } from "@proj/model-apis";
import { objectOf } from "@proj/model-apis/json";
import type { OpenCall } from "./calls-in-text.ts";
import { type GivenPlace, givenPlaces, isHidden } from "./given-places.ts";

/** A place between two tokens, behind the last one of which something was given out. */
export interface PlaceBehind {
  /** How many tokens are before it. */
  readonly tokens: number;
  /** What they say behind all that was given out. */
  readonly text: string;
}

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
  /** What was given out since, in order. */
  #given: AnswerPiece[] = [];
  #allTokens = 0;
  #allCalls = 0;

  constructor(lags: boolean) {
    this.#lags = lags;
  }

  /** Nothing has been given out since. */
  get isAll(): boolean {
    return this.#given.length === 0;
  }

  /** Nothing has been given out at all. */
  get isNone(): boolean {
    return this.isAll && this.pieces === 0;
  }

  /** How many tool calls have begun, open ones included. */
  get begunCalls(): number {
    return this.#allCalls;
  }

  /** The kind of text that came last, or the tool call with all that was given out of its arguments. */
  get last(): "text" | "reasoning" | OpenCall {
    const last = this.#given.at(-1);
    if (last === undefined) return "text";
    if (!("call" in last)) return last.kind;
    const given = argumentsOf(this.#given, last.call);
    const text = this.#texts.join("");
    return { call: last.call, given, ...markupOf(text, givenPlaces(text, this.#given) ?? []) };
  }

  /**
   * @param count how many tokens have come
   * @param entries their log probabilities, which say their texts
   * @param pieces what they made
   */
  add(count: number, entries: readonly unknown[], pieces: readonly AnswerPiece[]): void {
    for (let at = 0; at < count; at += 1) this.#texts.push(textOf(entries[at]));
    this.#allTokens += count;
    this.#allCalls += pieces.filter(({ kind }) => kind === "tool_call").length;
    this.#given.push(...pieces);
    const last = pieces.at(-1);
    if (last?.kind !== "text" && last?.kind !== "reasoning") return;
    const covered = this.#covered(last.text);
    if (covered === null) return;
    this.#texts.splice(0, covered);
    this.tokens = this.#allTokens - this.#texts.length;
    this.pieces += this.#given.length;
    this.calls = this.#allCalls;
    this.#given = [];
  }

  /**
   * The first place behind all that was given out where no stop text may have begun; null: there is none.
   * @param stops null: the last place of which the text is known
   */
  behind(stops: readonly string[] | null): PlaceBehind | null {
    const all = this.#texts.join("");
    if (all === "") return { tokens: this.#allTokens, text: "" };
    const from = givenPlaces(all, this.#given)?.at(-1)?.end;
    if (from === undefined) return null;
    let place: PlaceBehind | null = null;
    let tokens = this.#allTokens - this.#texts.length;
    let end = 0;
    for (const own of this.#texts) {
      const start = end;
      end += own.length;
      tokens += 1;
      if (end < from) continue;
      const rest = own.slice(Math.max(0, from - start));
      // A character whose end may not have come yet.
      if (rest.includes("\ufffd")) break;
      const text: string = (place?.text ?? "") + rest;
      place = { tokens, text };
      if (stops !== null && !stops.some((stop) => endsInBeginning(text, stop))) return place;
    }
    return stops === null ? place : null;
  }

  /** How many of the tokens the given text ends with; null: it ends within one, or is not theirs. */
  #covered(given: string): number | null {
    const count = this.#texts.length;
    if (this.#lags) {
      const place = count <= maxHeldBack ? this.behind([]) : null;
      return place?.text === "" ? count - (this.#allTokens - place.tokens) : null;
    }
    let end = "";
    for (let at = count - 1; at >= 0 && end.length < given.length; at -= 1)
      end = this.#texts[at] + end;
    // An engine that says no texts is believed to give out all that it has.
    if (end === "") return count;
    return end.endsWith(given) || endsInBytes(this.#texts, given) ? count : null;
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

const isBeyondAscii = (character: string): boolean => character > "\x7f";

/** The end of a text of which every character is one of these. */
function endOf(text: string, isOne: (character: string) => boolean): string {
  let at = text.length;
  while (at > 0 && isOne(text.charAt(at - 1))) at -= 1;
  return text.slice(at);
}

/** Whether the text's end is the beginning of this stop text. */
function endsInBeginning(text: string, stop: string): boolean {
  const most = Math.min(text.length, stop.length - 1);
  return Array.from({ length: most }, (_, at) => stop.slice(0, at + 1)).some((it) =>
    text.endsWith(it),
  );
}

/** What the model wrote around the name of the latest call. */
function markupOf(text: string, places: readonly GivenPlace[]) {
  const at = places.findLastIndex(({ kind }) => kind === "tool_call");
  const [before, name, following] = [places[at - 1], places[at], places[at + 1]];
  // An engine that says no texts gives arguments as they are.
  if (name === undefined) return { opening: "", middle: "" };
  return {
    opening: text.slice(before?.end ?? 0, name.start),
    middle: following === undefined ? null : text.slice(name.end, following.start),
  };
}

const argumentsOf = (pieces: readonly AnswerPiece[], call: number): string =>
  pieces
    .map((piece) => (piece.kind === "arguments" && piece.call === call ? piece.text : ""))
    .join("");

/** Beyond any stop text, in tokens. */
const maxHeldBack = 512;

function textOf(entry: unknown): string {
  const { token } = objectOf(entry);
  return typeof token === "string" ? token : "";
}
