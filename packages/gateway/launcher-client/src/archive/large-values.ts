import { sha256Of } from "./manifest.ts";

/** The shortest string, in characters, that is stored beside the rows. */
const minCharacters = 32 * 1024;

/** In place of a string that is stored beside the rows. */
const mark = /"sha256:([0-9a-f]{64})"/g;

type Row = Readonly<Record<string, unknown>>;

/**
 * Takes the large strings of a row's JSON out: `"sha256:…"` is in their place, and `large_values` lists the columns.
 * A text that has such a string of its own stays whole.
 * @param keep is told each string with its hash
 */
export function cutLargeValues(
  row: Row,
  columns: readonly string[],
  keep: (sha256: string, value: string) => void,
): Row {
  const cut: Record<string, string> = {};
  for (const name of columns) {
    const text = row[name];
    if (typeof text !== "string" || text.length < minCharacters || text.search(mark) >= 0) continue;
    const pieces: string[] = [];
    let from = 0;
    for (const [start, end] of largeStrings(text)) {
      const value = text.slice(start, end);
      const sha256 = sha256Of(value);
      keep(sha256, value);
      pieces.push(text.slice(from, start), `sha256:${sha256}`);
      from = end;
    }
    if (from > 0) cut[name] = pieces.join("") + text.slice(from);
  }
  const names = Object.keys(cut);
  return { ...row, ...cut, large_values: names.length === 0 ? null : JSON.stringify(names) };
}

/** The row as it was. */
export async function restoreLargeValues(
  { large_values, ...row }: Row,
  readValue: (sha256: string) => Promise<string>,
): Promise<Row> {
  if (typeof large_values !== "string") return row;
  const whole: Record<string, unknown> = { ...row };
  for (const name of JSON.parse(large_values) as string[]) {
    const pieces: string[] = [];
    let from = 0;
    const text = String(row[name]);
    for (const { 1: sha256 = "", index } of text.matchAll(mark)) {
      const end = index + 1 + "sha256:".length + sha256.length;
      pieces.push(text.slice(from, index + 1), await readValue(sha256));
      from = end;
    }
    whole[name] = pieces.join("") + text.slice(from);
  }
  return whole;
}

/** Where the large strings of a JSON text begin and end, without their quotes. */
function* largeStrings(text: string): Generator<readonly [start: number, end: number]> {
  for (let open = text.indexOf('"'); open >= 0; ) {
    let end = text.indexOf('"', open + 1);
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    // It is not JSON.
    if (end < 0) return;
    if (end - open - 1 >= minCharacters) yield [open + 1, end];
    open = text.indexOf('"', end + 1);
  }
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}
