import { timeFrameIds } from "@proj/trading-client/wire";
import { takeBookChanges } from "../state/book-changes.ts";
import { oldestCandle } from "./candle-query.ts";
import type { MarketParts } from "./market-parts.ts";

/** Stores what has changed in a market. */
export class MarketSaver {
  readonly #parts: MarketParts;
  #savedTime: number;
  /** The trading day on which old candles were last deleted. */
  #cleanedDay: number;

  constructor(parts: MarketParts) {
    this.#parts = parts;
    this.#savedTime = parts.engine.now;
    this.#cleanedDay = parts.engine.dayStart;
  }

  /** The market's time when it was last stored. */
  get savedTime(): number {
    return this.#savedTime;
  }

  /** @throws StateError */
  save(): void {
    const { engine, source, candles, store, instruments } = this.#parts;
    store.save({
      now: engine.now,
      position: source.position,
      book: takeBookChanges(engine.book),
      candles: candles.takeUnsaved(),
    });
    this.#savedTime = engine.now;
    if (engine.dayStart === this.#cleanedDay) return;
    this.#cleanedDay = engine.dayStart;
    store.deleteCandles(
      instruments.map(({ symbol }) => symbol),
      timeFrameIds.map((frame) => ({ frame, time: oldestCandle(frame, engine.now) })),
    );
  }
}
