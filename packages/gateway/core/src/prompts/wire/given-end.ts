import type { AnswerPiece } from "@proj/model-apis";

/**
 * Where the pieces that an engine's parsers gave out end in the text of their tokens, which has markup between them;
 * null: they are not in it, as parsers write it in another form.
 */
export function givenEnd(text: string, pieces: readonly AnswerPiece[]): number | null {
  let end = 0;
  const all = joined(pieces);
  for (const { text: given } of all) {
    const found = find(text, given, end);
    if (found === null) return null;
    end = found;
  }
  // Of a call without arguments yet, its name's quote tells that they will be JSON.
  return all.at(-1)?.kind === "tool_call" && text.charAt(end) !== '"' ? null : end;
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

/** Where the first of these texts ends that begins at this place or behind it. */
function find(text: string, given: string, from: number): number | null {
  for (let start = from; start < text.length; start += 1) {
    const end = endOf(text, given, start);
    if (end !== null) return end;
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
