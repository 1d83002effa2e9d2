import { defaultLargeValueBytes, largeRuns } from "@proj/session-store";
import { z } from "zod";
import { sha256Of } from "./manifest.ts";

/** In place of a string that is stored beside the rows. */
const mark = /"sha256:([0-9a-f]{64})"/g;

type Row = Readonly<Record<string, unknown>>;

const columnNames = z.array(z.string());

/**
 * Takes the large strings of a row's JSON out: `"sha256:…"` is in their place, and `large_values` lists the columns.
 * A text that has such a string of its own stays whole.
 * @param keep is told each string with its hash
 */
export function cutLargeValues(
  row: Row,
  columns: readonly string[],
  keep: (sha256: string, value: Uint8Array) => void,
): Row {
  const cut: Record<string, string> = {};
  for (const name of columns) {
    const text = row[name];
    if (typeof text !== "string" || Buffer.byteLength(text) < defaultLargeValueBytes) continue;
    if (text.search(mark) >= 0) continue;
    const bytes = Buffer.from(text);
    const pieces: string[] = [];
    let from = 0;
    for (const { start, end, isString } of largeRuns(bytes, defaultLargeValueBytes)) {
      if (!isString) continue;
      const value = bytes.subarray(start, end);
      const sha256 = sha256Of(value);
      keep(sha256, value);
      pieces.push(bytes.toString("utf8", from, start), `sha256:${sha256}`);
      from = end;
    }
    if (from > 0) cut[name] = pieces.join("") + bytes.toString("utf8", from);
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
  for (const name of columnNames.parse(JSON.parse(large_values))) {
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
