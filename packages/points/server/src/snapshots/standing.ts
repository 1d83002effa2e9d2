import { crc32 } from "node:zlib";
import type { Ranking } from "@proj/points-client/wire";
import { linesPerBlock } from "./ranking.ts";

/** Ranks of an address, from 1; 0: not in that ranking. */
export type Standing = Readonly<Record<Ranking, number>>;

export const nowhere: Standing = { total: 0, lp: 0, swaps: 0 };

/** How many blocks the standings of this many addresses are spread over. */
export function standingBlockCount(addresses: number): number {
  return Math.max(1, Math.ceil(addresses / linesPerBlock));
}

/** The block that an address is in. */
export function standingBlock(address: string | Uint8Array, blocks: number): number {
  return crc32(address) % blocks;
}

/** The part of the line after the address. */
export function formatStanding({ total, lp, swaps }: Standing): string {
  return ` ${total} ${lp} ${swaps}`;
}

/** @returns null: the address is not in the block */
export function findStanding(entries: string, address: string): Standing | null {
  const start = entries.startsWith(`${address} `) ? 0 : entries.indexOf(`\n${address} `) + 1;
  if (start === 0 && !entries.startsWith(`${address} `)) return null;
  const end = entries.indexOf("\n", start);
  const line = entries.slice(start, end === -1 ? undefined : end);
  const [, total, lp, swaps] = line.split(" ");
  return { total: Number(total), lp: Number(lp), swaps: Number(swaps) };
}
