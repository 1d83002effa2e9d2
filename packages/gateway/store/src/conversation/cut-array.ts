const stringOrBracket = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/gs;
const restOfString = /^[^"\\]*(?:\\.[^"\\]*)*"/s;
const escapeOrQuote = /\\.|"/gs;

/** The elements that are whole at the end of a JSON array whose beginning is missing, as an array. */
export function endOfArray(text: string): string {
  let quotes = 0;
  for (const [token] of text.matchAll(escapeOrQuote)) if (token === '"') quotes += 1;
  // JSON ends outside of strings: where the quotes do not match, the text begins inside one.
  const from = quotes % 2 === 0 ? 0 : (restOfString.exec(text)?.[0].length ?? 0);
  /** Where the first comma of each depth is; the text begins at 0. */
  const commas = new Map<number, number>();
  let depth = 0;
  for (const { 0: token, index } of text.slice(from).matchAll(stringOrBracket)) {
    if (token === "," && !commas.has(depth)) commas.set(depth, from + index);
    else if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
  }
  // The last bracket closed the array.
  const comma = commas.get(depth + 1);
  return comma === undefined ? "[]" : `[${text.slice(comma + 1)}`;
}
