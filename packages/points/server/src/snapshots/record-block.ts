import { hash } from "node:crypto";
import { type Ranking, rankings } from "@proj/points-client/wire";

/**
 * The records of a block of a ranking, as JSON separated by commas. Outside the heap: many blocks are cached, and as
 * strings each would be copied twice by the garbage collector before it settles.
 */
export interface RecordBlock {
  /** ASCII. */
  readonly bytes: Buffer;
  /** Where each record ends. */
  readonly ends: readonly number[];
  /** A hash of the bytes. */
  readonly version: string;
}

/** Some bytes of a block. */
export interface Piece {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** The first line of a block of a ranking in which equal points share a rank: that of the first record. */
const sharedRank = /^=(\d+)\n/;

export const sharedRankLine = (rank: number): string => `=${rank}\n`;

/**
 * Builds the records from the lines of a block. Nothing needs escaping: addresses and numbers contain no such
 * characters, and domains are JSON already. Searching for the ends of fields takes a third of the time of splitting.
 * @param place of the first line, from 1
 */
export function recordBlock(ranking: Ranking, lines: string, place: number): RecordBlock {
  const records: string[] = [];
  const ends: number[] = [];
  const shared = sharedRank.exec(lines);
  let rank = Number(shared?.[1] ?? place);
  let before: string | null = null;
  for (let start = shared?.[0].length ?? 0, size = 0; start < lines.length; ) {
    const found = lines.indexOf("\n", start);
    const end = found === -1 ? lines.length : found;
    const points = shared === null ? "" : pointsAt(lines, start);
    if (before !== null && (shared === null || points !== before)) rank = place + records.length;
    before = points;
    const record = recordJson(ranking, lines, start, end, rank);
    records.push(record);
    size += record.length;
    ends.push(size);
    // The comma.
    size += 1;
    start = end + 1;
  }
  const text = records.join(",");
  // Not from the pool: a cached block would keep all of the pool's memory.
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, "latin1");
  return { bytes, ends, version: hash("sha256", bytes, "base64url") };
}

/** The records of a block after the first `start` up to `end`, as far as they exist. */
export function recordsBetween(
  { bytes, ends }: Pick<RecordBlock, "bytes" | "ends">,
  start: number,
  end: number,
): Piece {
  const first = start <= 0 ? 0 : (ends[start - 1] ?? bytes.length) + 1;
  return { bytes, start: first, end: ends[Math.min(end, ends.length) - 1] ?? first };
}

/** Members are in the order of the API's documentation. */
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
  const members = rankings[ranking].record;
  const common = `{"address":"${address}","points":"${points}","last24hPoints":"${last24hPoints}","rank":${rank}`;
  let json = common;
  // An optional member at the end may be missing.
  for (let at = third + 1, index = 0; at < end; index += 1) {
    const { name, kind } = members[index] ?? {};
    const space = lines.indexOf(" ", at);
    const next = space === -1 || space > end ? end : space;
    const value = lines.slice(at, next);
    json += kind === "points" ? `,"${name}":"${value}"` : `,"${name}":${value}`;
    at = next + 1;
  }
  return `${json}}`;
}

function pointsAt(lines: string, start: number): string {
  const first = lines.indexOf(" ", start) + 1;
  return lines.slice(first, lines.indexOf(" ", first));
}
