import { type Instrument, pointsOf, rateOf } from "../../instruments/instrument.ts";
import type { Peg, Side } from "../order.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { checkNumber } from "./checks.ts";

/** The position, or future position, that a stop or limit protects. */
export interface Protected {
  readonly instrument: Instrument;
  readonly side: Side;
  /** The rate that distances are counted from, in points. */
  readonly entry: number;
  /** A stop must be worse than this rate, a limit better; in points. */
  readonly reference: number;
}

export interface Protection {
  /** Points: a rate or, with peg 1, a distance; 0: none. */
  readonly value: number;
  readonly peg: Peg;
}

/** @throws RefusalError the price has already reached the stop or is too close to it */
export function readStop(of: Protected, stop: number | undefined, inPips: boolean): Protection {
  const protection = readProtection(of, "stop", stop, inPips);
  if (protection.value !== 0) checkStopRate(of, rateWith(of, protection));
  return protection;
}

/** @throws RefusalError the price has already reached the limit or is too close to it */
export function readLimit(of: Protected, limit: number | undefined, inPips: boolean): Protection {
  const protection = readProtection(of, "limit", limit, inPips);
  if (protection.value !== 0) checkLimitRate(of, rateWith(of, protection));
  return protection;
}

export function rateWith({ entry }: Protected, { value, peg }: Protection): number {
  return peg === 1 ? entry + value : value;
}

export function checkStopRate({ instrument, side, reference }: Protected, rate: number): void {
  if (rate <= 0 || side * (reference - rate) < Math.max(1, instrument.stopDistance)) {
    throw new RefusalError(refuse.stopDistance(rateOf(instrument, rate)));
  }
}

export function checkLimitRate({ instrument, side, reference }: Protected, rate: number): void {
  if (rate <= 0 || side * (rate - reference) < Math.max(1, instrument.limitDistance)) {
    throw new RefusalError(refuse.limitDistance(rateOf(instrument, rate)));
  }
}

function readProtection(
  { instrument }: Protected,
  name: string,
  given: number | undefined,
  inPips: boolean,
): Protection {
  const number = checkNumber(name, given, inPips ? Number.NEGATIVE_INFINITY : 0);
  if (inPips) return { value: Math.round(number * instrument.pipPoints) + 0, peg: 1 };
  return { value: pointsOf(instrument, number), peg: -1 };
}
