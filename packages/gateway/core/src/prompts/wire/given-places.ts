import type { AnswerPiece } from "@proj/model-apis";

/** Where a piece is in the text of an answer's tokens; an end is exclusive. */
export interface GivenPlace {
  readonly kind: AnswerPiece["kind"];
  readonly start: number;
  readonly end: number;
}

/**
 * Where the pieces that an engine's parsers gave out are in the text of their tokens, which has markup between them;
 * null: they are not in it, as parsers write it in another form. Neighbouring pieces of a kind are one.
 */
export function givenPlaces(
  text: string,
  pieces: readonly AnswerPiece[],
): readonly GivenPlace[] | null {
  const places: GivenPlace[] = [];
  for (const { kind, text: given } of joined(pieces)) {
    const found = find(text, given, places.at(-1)?.end ?? 0);
    if (found === null) return null;
    places.push({ kind, ...found });
  }
  const last = places.at(-1);
  // Of a call without arguments yet, its name's quote tells that they will be JSON.
  return last?.kind === "tool_call" && text.charAt(last.end) !== '"' ? null : places;
}

interface Given {
  readonly kind: AnswerPiece["kind"];
  readonly text: string;
}

function joined(pieces: readonly AnswerPiece[]): readonly Given[] {
  const all: Given[] = [];
  for (const piece of pieces) {
    const { kind } = piece;
    const text = piece.kind === "tool_call" ? piece.name : piece.text;
    const last = all.at(-1);
    if (last?.kind !== kind || kind === "tool_call") all.push({ kind, text });
    else all[all.length - 1] = { kind, text: last.text + text };
  }
  return all;
}

/** The first of these texts at this place or behind it. */
function find(text: string, given: string, from: number) {
  for (let start = from; start < text.length; start += 1) {
    const end = endOf(text, given, start);
    if (end !== null) return { start, end };
  }
  return null;
}

/** A character of several tokens is hidden in their texts, and any other one in its place is taken for it. */
function endOf(text: string, given: string, start: number): number | null {
  let end = start;
  for (let at = 0; at < given.length; ) {
    const character = given.charAt(at);
    if (text.charAt(end) === character) {
      at += 1;
      end += 1;
    } else if (isHidden(text.charAt(end)) && character > "\x7f") {
      while (isHidden(text.charAt(end))) end += 1;
      const next = text.charAt(end);
      do at += 1;
      while (at < given.length && given.charAt(at) > "\x7f" && given.charAt(at) !== next);
    } else return null;
  }
  return end;
}

/** A byte of a character. */
export const isHidden = (character: string): boolean => character === "\ufffd";
