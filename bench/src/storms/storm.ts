import type { StormReport } from "./storm-report.ts";

export interface StormSizes {
  /** Of the storm of cancelled requests. */
  readonly requests: number;
  /** Of a process, in each storm that kills one. */
  readonly kills: number;
  readonly races: number;
  readonly simulations: number;
  readonly seed: number;
}

/** A fault repeated many times under load, and what must hold afterwards. */
export interface Storm {
  readonly name: string;
  /** What is missing to run it; null: nothing. */
  readonly reasonMissing: () => string | null;
  readonly run: (sizes: StormSizes, report: StormReport) => Promise<void>;
}
