import type { StormReport } from "./storm-report.ts";

export interface StormSizes {
  /** Requests in the storm of cancelled requests. */
  readonly requests: number;
  /** Kills of a process, in each storm that kills one. */
  readonly kills: number;
  readonly races: number;
  readonly simulations: number;
  readonly seed: number;
}

/** A fault repeated many times under load, and what must hold afterwards. */
export interface Storm {
  readonly name: string;
  /** What is missing for running it; null: nothing. */
  readonly reasonMissing: () => string | null;
  readonly run: (sizes: StormSizes, report: StormReport) => Promise<void>;
}
