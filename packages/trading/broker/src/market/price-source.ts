import type { Instrument } from "../instruments/instrument.ts";
import type { Tick } from "../instruments/tick.ts";
import type { TradingHours } from "../instruments/trading-hours.ts";

/**
 * Yields prices one by one, in order of time. It has no clock: the reader sets the pace.
 */
export interface PriceSource<Position = unknown> {
  /** The next price; null: no more. */
  readonly next: Tick | null;
  /** Moves on to the following price. @throws PriceFileError the file cannot be read further */
  advance(): void;
  /** JSON from which a new source with the same configuration resumes at `next`. */
  readonly position: Position;
  /** Whether the symbol has no more prices. */
  hasEnded(symbol: string): boolean;
  /** Milliseconds that its last price stands for: the length of a file's candles. */
  readonly lastsMs: number;
  /**
   * Changes the interval between drawn moments, in milliseconds; null: the configured one. Undefined: it cannot be
   * changed.
   */
  setInterval?(interval: number | null): void;
  close(): void;
}

export interface PriceSourceParts {
  readonly instruments: readonly Instrument[];
  readonly hours: TradingHours;
  /** When drawn prices without a fixed beginning begin: milliseconds since the epoch. */
  readonly start: number;
}
