import type { StoredRow } from "@proj/session-store";
import { historyBytes } from "../added.ts";
import { factsOf } from "../step-facts.ts";

/** How a call's history relates to earlier ones. Numbers are positions of rows; -1: none. */
export interface Lineage {
  /** The latest call whose whole history this one repeats or names, not counting attempts that were retried. */
  readonly predecessor: number;
  /** The call that its history was compared with, if it differs within that history. */
  readonly rewrites: number;
}

/** How far back to look: a session may have edited its history ten thousand times. */
const maxLinks = 200;
/** The closing bracket is not shared, nor are spaces before it. */
const closingBytes = 16;

/** The position of each attempt that was retried, with that of the latest call that retries it. */
export function retriesOf(rows: readonly StoredRow[]): ReadonlyMap<number, number> {
  const retries = new Map<number, number>();
  // Most sessions have none, and then their rows need no keys.
  if (rows.every((row) => factsOf(row).retry_of === null)) return retries;
  const steps = new Map(rows.map((row, at) => [`${row.step_id} ${row.model}`, at]));
  for (const [at, row] of rows.entries()) {
    const { retry_of } = factsOf(row);
    const first = retry_of === null ? undefined : steps.get(`${retry_of} ${row.model}`);
    if (first !== undefined && first !== at) retries.set(first, at);
  }
  return retries;
}

/** @returns the lineage of each row, and the rows that a later one retries */
export function lineagesOf(rows: readonly StoredRow[]): {
  readonly lineages: readonly Lineage[];
  readonly retried: ReadonlyMap<number, number>;
} {
  const positions = new Map(rows.map(({ id }, at) => [id, at]));
  const named = new Map(rows.map(({ request_id }, at) => [request_id, at]));
  const retried = retriesOf(rows);
  const bases = rows.map(({ messages_base }) => positions.get(messages_base ?? 0) ?? -1);
  const lineages: Lineage[] = [];
  for (const [at, row] of rows.entries()) {
    const { continues } = factsOf(row);
    const base =
      continues === null ? (bases[at] ?? -1) : (named.get(continues.request_id ?? "") ?? -1);
    const shared = row.messages_shared ?? 0;
    let contained = base;
    for (let links = 0; contained >= 0 && continues === null; links += 1) {
      const known = rows[contained];
      if (known === undefined || shared >= historyBytes(known) - closingBytes) break;
      contained = links < maxLinks ? (bases[contained] ?? -1) : -1;
    }
    const isRewritten = contained !== base;
    // The same request again has the predecessor of the first.
    const isRepeated =
      contained >= 0 &&
      !isRewritten &&
      continues === null &&
      (row.messages_bytes ?? 0) <= closingBytes;
    let predecessor = isRepeated ? (lineages[contained]?.predecessor ?? -1) : contained;
    while (retried.has(predecessor)) predecessor = lineages[predecessor]?.predecessor ?? -1;
    lineages.push({ predecessor, rewrites: isRewritten ? base : -1 });
  }
  return { lineages, retried };
}
