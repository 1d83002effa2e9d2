import type { LoadGenerator } from "../load/load-generator.ts";
import type { CoreAssignment } from "../machine/cores.ts";
import type { RunningUpstream } from "../servers/upstream-row.ts";

/** The parts that a measurement of a curve needs. */
export interface GrowthContext {
  readonly load: LoadGenerator;
  readonly upstream: RunningUpstream;
  readonly cores: CoreAssignment;
  /** Whether to stop at small sizes: only shows that it works. */
  readonly quick: boolean;
}

/** One quantity as the work grows. */
export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly (readonly [size: number, value: number])[];
  /** Whether the value is the cost of one unit of work, which must not grow. */
  readonly isCost: boolean;
}

export interface Growth {
  /** The name of the chart's file. */
  readonly name: string;
  readonly title: string;
  /** What grows. */
  readonly of: string;
  readonly curves: readonly Curve[];
  /** The number of wrong answers. */
  readonly errors: number;
}

/** At the largest size a unit may cost at most this many times its lowest cost. */
export const MOST_GROWTH = 2;

/** The cost of a unit at the largest size, divided by its lowest cost. */
export function growthOf({ points }: Curve): number {
  const least = Math.min(...points.map(([, value]) => value));
  return (points.at(-1)?.[1] ?? Number.NaN) / least;
}
