import { hash } from "node:crypto";
import type { Ranking } from "@proj/points-protocol";

/**
 * The records of a block of a ranking, as JSON with commas between them. It is outside the heap: many are
 * kept, and as strings each would be copied twice by the collector before it is left alone.
 */
export interface RecordBlock {
  /** ASCII. */
  readonly bytes: Buffer;
  /** Where each record ends. */
  readonly ends: readonly number[];
  /** A hash of the bytes. */
  readonly version: string;
}

/** Bytes of a block. */
export interface Piece {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Of the lines of a block. Nothing in them needs to be escaped: addresses and numbers have no characters that do,
 * domains are JSON already. Looking for the ends of fields takes a third of the time of splitting lines.
 * @param rank of the first line
 */
export function recordBlock(ranking: Ranking, lines: string, rank: number): RecordBlock {
  const records: string[] = [];
  const ends: number[] = [];
  for (let start = 0, size = 0; start < lines.length; ) {
    const found = lines.indexOf("\n", start);
    const end = found === -1 ? lines.length : found;
    const record = recordJson(ranking, lines, start, end, rank + records.length);
    records.push(record);
    size += record.length;
    ends.push(size);
    // A comma.
    size += 1;
    start = end + 1;
  }
  const text = records.join(",");
  // Not of the pool, of which a block that is kept would keep all.
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, "latin1");
  return { bytes, ends, version: hash("sha256", bytes, "base64url") };
}

/** The records after the first `start` of a block until `end`, as far as there are such. */
export function recordsBetween(
  { bytes, ends }: Pick<RecordBlock, "bytes" | "ends">,
  start: number,
  end: number,
): Piece {
  const first = start <= 0 ? 0 : (ends[start - 1] ?? bytes.length) + 1;
  return { bytes, start: first, end: ends[Math.min(end, ends.length) - 1] ?? first };
}

/** Its members are in the order of the wire's table. */
function recordJson(
  ranking: Ranking,
  lines: string,
  start: number,
  end: number,
  rank: number,
): string {
  const first = lines.indexOf(" ", start);
  const second = lines.indexOf(" ", first + 1);
  const third = lines.indexOf(" ", second + 1);
  const address = lines.slice(start, first);
  const points = lines.slice(first + 1, second);
  const last24hPoints = lines.slice(second + 1, third);
  const common = `{"address":"${address}","points":"${points}","last24hPoints":"${last24hPoints}","rank":${rank}`;
  if (ranking === "lp") return `${common},"positions":${lines.slice(third + 1, end)}}`;
  const fourth = lines.indexOf(" ", third + 1);
  if (ranking === "total") {
    const [lpPoints, swapPoints] = [lines.slice(third + 1, fourth), lines.slice(fourth + 1, end)];
    return `${common},"lpPoints":"${lpPoints}","swapPoints":"${swapPoints}"}`;
  }
  if (fourth === -1 || fourth > end) return `${common},"swaps":${lines.slice(third + 1, end)}}`;
  const [swaps, domain] = [lines.slice(third + 1, fourth), lines.slice(fourth + 1, end)];
  return `${common},"swaps":${swaps},"domain":${domain}}`;
}
