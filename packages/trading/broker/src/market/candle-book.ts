import { type TimeFrame, timeFrameIds } from "@proj/trading-protocol";
import { type Candle, candleOfTick, joinCandles } from "../instruments/candle.ts";
import type { Tick } from "../instruments/tick.ts";
import { CandleCalendar } from "./candle-calendar.ts";

/** A candle that is new or has changed since it was stored. */
export interface UnsavedCandle {
  readonly symbol: string;
  readonly frame: TimeFrame;
  readonly candle: Candle;
}

const minute: TimeFrame = "m1";
const longerFrames: readonly TimeFrame[] = timeFrameIds.filter((frame) => frame !== minute);

/**
 * Builds the candles of all time frames. A price changes only the candle of its minute. Longer candles absorb
 * each minute once it is over; until then, queries join it with them.
 */
export class CandleBook {
  readonly #calendar = new CandleCalendar();
  /** The last candle by symbol and frame; longer frames lack the current minute. */
  readonly #last = new Map<string, Candle>();
  readonly #unsaved = new Map<string, UnsavedCandle>();

  /** @param saved the last candle of each symbol and frame */
  constructor(saved: Iterable<UnsavedCandle>) {
    for (const { symbol, frame, candle } of saved) this.#last.set(keyOf(symbol, frame), candle);
  }

  tick(tick: Tick): void {
    const { symbol, time } = tick;
    const key = keyOf(symbol, minute);
    const running = this.#last.get(key);
    const start = this.#calendar.startOf(minute, time);
    const candle = candleOfTick(start, tick);
    if (running?.start === start) {
      this.#put(symbol, minute, joinCandles(running, candle));
    } else {
      if (running !== undefined) this.#rollUp(symbol, running);
      this.#put(symbol, minute, candle);
    }
  }

  /** The current candle, or the last one; undefined: no price yet. */
  running(symbol: string, frame: TimeFrame): Candle | undefined {
    const last = this.#last.get(keyOf(symbol, frame));
    const running = this.#last.get(keyOf(symbol, minute));
    if (frame === minute || running === undefined) return last;
    const start = this.#calendar.startOf(frame, running.start);
    return last?.start === start ? joinCandles(last, running) : { ...running, start };
  }

  /** The candles that have changed since the last call. */
  takeUnsaved(): readonly UnsavedCandle[] {
    const unsaved = [...this.#unsaved.values()];
    this.#unsaved.clear();
    return unsaved;
  }

  #rollUp(symbol: string, ended: Candle): void {
    for (const frame of longerFrames) {
      const last = this.#last.get(keyOf(symbol, frame));
      const start = this.#calendar.startOf(frame, ended.start);
      const candle = last?.start === start ? joinCandles(last, ended) : { ...ended, start };
      this.#put(symbol, frame, candle);
    }
  }

  #put(symbol: string, frame: TimeFrame, candle: Candle): void {
    const key = keyOf(symbol, frame);
    this.#last.set(key, candle);
    this.#unsaved.set(`${key} ${candle.start}`, { symbol, frame, candle });
  }
}

function keyOf(symbol: string, frame: TimeFrame): string {
  return `${symbol} ${frame}`;
}
