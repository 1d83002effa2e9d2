import { type TimeFrame, timeFrameIds } from "@proj/trading-client/wire";
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

/** The last candle of a symbol and frame. */
interface Slot extends UnsavedCandle {
  candle: Candle;
}

/**
 * Builds the candles of all time frames. A price changes only the candle of its minute. Longer candles absorb
 * each minute once it is over; until then, queries join it with them.
 */
export class CandleBook {
  readonly #calendar = new CandleCalendar();
  /** By symbol and frame; longer frames lack the current minute. */
  readonly #slots = new Map<string, Map<TimeFrame, Slot>>();
  /** Slots whose candle is unsaved, and unsaved candles that were followed by another one. */
  readonly #changed = new Set<Slot>();
  #past: UnsavedCandle[] = [];

  /** @param saved the last candle of each symbol and frame */
  constructor(saved: Iterable<UnsavedCandle>) {
    for (const slot of saved) this.#slotsOf(slot.symbol).set(slot.frame, { ...slot });
  }

  tick(tick: Tick): void {
    const { symbol, time } = tick;
    const running = this.#slots.get(symbol)?.get(minute)?.candle;
    const start = this.#calendar.startOf(minute, time);
    const candle = candleOfTick(start, tick);
    if (running !== undefined && running.start !== start) this.#rollUp(symbol, running);
    const isRunning = running?.start === start;
    this.#put(symbol, minute, isRunning ? joinCandles(running, candle) : candle);
  }

  /** The current candle, or the last one; undefined: no price yet. */
  running(symbol: string, frame: TimeFrame): Candle | undefined {
    const slots = this.#slots.get(symbol);
    const last = slots?.get(frame)?.candle;
    const running = slots?.get(minute)?.candle;
    if (frame === minute || running === undefined) return last;
    const start = this.#calendar.startOf(frame, running.start);
    return last?.start === start ? joinCandles(last, running) : { ...running, start };
  }

  /** The candles that have changed since the last call. */
  takeUnsaved(): readonly UnsavedCandle[] {
    const changed = [...this.#changed].map((slot) => ({ ...slot }));
    const unsaved = [...this.#past, ...changed];
    this.#past = [];
    this.#changed.clear();
    return unsaved;
  }

  #rollUp(symbol: string, ended: Candle): void {
    const slots = this.#slotsOf(symbol);
    for (const frame of longerFrames) {
      const last = slots.get(frame)?.candle;
      const start = this.#calendar.startOf(frame, ended.start);
      const candle = last?.start === start ? joinCandles(last, ended) : { ...ended, start };
      this.#put(symbol, frame, candle);
    }
  }

  #put(symbol: string, frame: TimeFrame, candle: Candle): void {
    const slots = this.#slotsOf(symbol);
    let slot = slots.get(frame);
    if (slot === undefined) {
      slot = { symbol, frame, candle };
      slots.set(frame, slot);
    } else {
      if (slot.candle.start !== candle.start && this.#changed.has(slot))
        this.#past.push({ symbol, frame, candle: slot.candle });
      slot.candle = candle;
    }
    this.#changed.add(slot);
  }

  #slotsOf(symbol: string): Map<TimeFrame, Slot> {
    let slots = this.#slots.get(symbol);
    if (slots === undefined) {
      slots = new Map();
      this.#slots.set(symbol, slots);
    }
    return slots;
  }
}
