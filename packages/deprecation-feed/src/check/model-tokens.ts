/** Where a known id stands in a text. Both count from 1. */
export interface TokenPlace {
  readonly model: string;
  readonly line: number;
  readonly column: number;
}

const word = /[A-Za-z0-9](?:[A-Za-z0-9._:/@+-]*[A-Za-z0-9])?/g;

/**
 * Finds known ids as whole words of a text. Ids have dots, dashes and slashes, so a word ends where
 * none of those goes on: `gpt-4` is not in `gpt-4-turbo`. It is in `openai/gpt-4` and
 * `models/gpt-4`, unless those are known ids themselves. An id that could be any word (`o1`,
 * `command`) counts only in quotes, on a line that speaks of models.
 */
export function* findIds(text: string, known: ReadonlySet<string>): Generator<TokenPlace> {
  const longest = Math.max(0, ...[...known].map((id) => id.length));
  let line = 0;
  for (const words of text.split("\n")) {
    line += 1;
    for (const { 0: found, index } of words.matchAll(word)) {
      for (const start of beginnings(found)) {
        // A packed file may be one word with thousands of slashes.
        if (found.length - start > longest) continue;
        const model = found.slice(start);
        if (!known.has(model)) continue;
        const at = index + start;
        if (isTelling(model) || isQuotedModel(words, at, model))
          yield { model, line, column: at + 1 };
        break;
      }
    }
  }
}

/** The word itself, and what follows each of its slashes and colons. */
function* beginnings(found: string): Generator<number> {
  yield 0;
  for (let at = 0; at < found.length; at++) {
    if (found[at] === "/" || found[at] === ":") yield at + 1;
  }
}

const isTelling = (model: string): boolean =>
  model.length > 4 && /\d/.test(model) && /[^A-Za-z0-9]/.test(model);

function isQuotedModel(line: string, at: number, model: string): boolean {
  const quote = line[at - 1] ?? "";
  return /["'`]/.test(quote) && line[at + model.length] === quote && /model/i.test(line);
}
