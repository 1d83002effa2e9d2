import { pairKey } from "../ledger/streams.ts";
import type { Program } from "../program/program.ts";

/** The part of a program that sums of events depend on, as text: the same text, the same sums. */
export function accrualRules({ swapPairs, promotedPools }: Program): string {
  const pairs = swapPairs.map(({ tokenX, tokenY }) => pairKey(tokenX, tokenY));
  const pools = promotedPools.map(
    ({ address, pointsPerSecond, startCountTimestamp, endCountTimestamp }) =>
      `${address} ${pointsPerSecond} ${startCountTimestamp} ${endCountTimestamp ?? ""}`,
  );
  return JSON.stringify([[...new Set(pairs)].sort(), pools.sort()]);
}
