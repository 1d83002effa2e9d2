import type { Temporal } from "temporal-polyfill";
import type { TimeFrame } from "../wire/index.ts";
import { InvalidRequestError } from "./invalid-request-error.ts";

/** The requested candles begin before their time frame's limit of days. */
export class CandleLimitError extends InvalidRequestError {
  override readonly name = "CandleLimitError";
  /** The earliest time with candles. */
  readonly earliest: Temporal.Instant;

  constructor(frame: TimeFrame, maxDaysBack: number, earliest: Temporal.Instant) {
    super(
      "from",
      `${frame} candles go back ${maxDaysBack} days, to ${earliest}: ` +
        "begin there, or pass clip: true to get what is available",
    );
    this.earliest = earliest;
  }
}
