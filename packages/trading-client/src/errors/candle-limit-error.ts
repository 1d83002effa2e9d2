import type { TimeFrame } from "@proj/trading-protocol";
import type { Temporal } from "temporal-polyfill";
import { InvalidRequestError } from "./invalid-request-error.ts";

/** Candles were asked for that lie further back than their time frame's limit of days. */
export class CandleLimitError extends InvalidRequestError {
  override readonly name = "CandleLimitError";
  /** From when on there can be candles. */
  readonly earliest: Temporal.Instant;

  constructor(frame: TimeFrame, maxDaysBack: number, earliest: Temporal.Instant) {
    super(
      "from",
      `Candles of ${frame} can be had for ${maxDaysBack} days back, which is since ${earliest}: ` +
        "begin there, or say clip: true for what there is",
    );
    this.earliest = earliest;
  }
}
