import { crc32 } from "node:zlib";
import { type Ranking, rankingNames } from "@proj/points-client/wire";
import { linesPerBlock } from "./ranking.ts";

/** The places of an address, from 1, also where others share its rank; 0: not in that ranking. */
export type Standing = Readonly<Record<Ranking, number>>;

export const nowhere: Standing = standingOf([]);

/** How many blocks the standings of this many addresses are spread over. */
export function standingBlockCount(addresses: number): number {
  return Math.max(1, Math.ceil(addresses / linesPerBlock));
}

/** The block that an address is in. */
export function standingBlock(address: string | Uint8Array, blocks: number): number {
  return crc32(address) % blocks;
}

/** The part of the line after the address. */
export function formatStanding(placeIn: (ranking: Ranking) => number): string {
  let text = "";
  for (const ranking of rankingNames) text += ` ${placeIn(ranking)}`;
  return text;
}

/** @returns null: the address is not in the block */
export function findStanding(entries: string, address: string): Standing | null {
  const start = entries.startsWith(`${address} `) ? 0 : entries.indexOf(`\n${address} `) + 1;
  if (start === 0 && !entries.startsWith(`${address} `)) return null;
  const end = entries.indexOf("\n", start);
  const line = entries.slice(start, end === -1 ? undefined : end);
  return standingOf(line.split(" ").slice(1));
}

function standingOf(places: readonly string[]): Standing {
  const pairs = rankingNames.map((ranking, index) => [ranking, Number(places[index] ?? 0)]);
  return Object.fromEntries(pairs);
}
