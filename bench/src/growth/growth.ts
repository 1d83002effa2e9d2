import type { LoadGenerator } from "../load/load-generator.ts";
import type { CoreAssignment } from "../machine/cores.ts";
import type { RunningUpstream } from "../servers/upstream-row.ts";

/** What a curve is measured with. */
export interface GrowthContext {
  readonly load: LoadGenerator;
  readonly upstream: RunningUpstream;
  readonly cores: CoreAssignment;
  /** Whether sizes stop early: to see that it works. */
  readonly quick: boolean;
}

/** One quantity as the work grows. */
export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly (readonly [size: number, value: number])[];
  /** Whether the value is a cost of one unit of work, which must not grow. */
  readonly isCost: boolean;
}

export interface Growth {
  /** The chart's file, and its title. */
  readonly name: string;
  readonly title: string;
  /** What grows. */
  readonly of: string;
  readonly curves: readonly Curve[];
  /** Answers that were wrong. */
  readonly errors: number;
}

/** The largest cost of one unit may be this many times that at the smallest size, or of the least since. */
export const MOST_GROWTH = 2;

/** How many times what it cost at its cheapest a unit costs at the largest size. */
export function growthOf({ points }: Curve): number {
  const least = Math.min(...points.map(([, value]) => value));
  return (points.at(-1)?.[1] ?? Number.NaN) / least;
}
