import type {
  InstrumentEntry,
  PriceUpdate,
  TableModel,
  TableRecords,
} from "@proj/trading-client/wire";
import type { CommandRequests, CommandResult, CommandType } from "../engine/command.ts";
import { refuse } from "../engine/refusal.ts";
import type { Instrument } from "../instruments/instrument.ts";
import { type ReportSources, readReportSources } from "../reports/report-source.ts";
import { StateError } from "../state/state-error.ts";
import { type CandleQuery, type CandlesResult, queryCandles } from "./candle-query.ts";
import { drawHistory } from "./draw-history.ts";
import { endPrices } from "./end-prices.ts";
import { instrumentEntries } from "./instrument-entries.ts";
import { MarketHistory } from "./market-history.ts";
import { type MarketListener, MarketNews } from "./market-listener.ts";
import { type PaperMarketOptions, readOptions } from "./market-options.ts";
import { type MarketParts, openParts } from "./market-parts.ts";
import { MarketSaver } from "./market-saver.ts";
import { MarketTimer } from "./market-timer.ts";

/** Prices between checks of the clock. */
const pricesPerCheck = 64;
/** Most prices per commit. */
const maxPricesPerCommit = 8192;
/** After this many idle market milliseconds, the time is stored. */
const idleMs = 60_000;

/**
 * Opens a new market, or resumes a stored one. It does not move until `start`.
 * @param begins when a new market without a fixed beginning begins, in milliseconds since the epoch
 * @throws TypeError an invalid option
 * @throws StateError the state file cannot be used
 * @throws PriceFileError the price file cannot be read
 */
export function openPaperMarket(
  options: PaperMarketOptions,
  begins: number = Date.now(),
): PaperMarket {
  const settings = readOptions(options);
  return new PaperMarket(openParts(settings, begins), settings.speed);
}

/**
 * Prices, an engine and their durable state. Everything happens in turns: prices or a command, then one
 * commit, then the news of it.
 */
export class PaperMarket {
  readonly #parts: MarketParts;
  readonly #news = new MarketNews();
  readonly #timer: MarketTimer;
  /** What the tables have forgotten. */
  readonly history: MarketHistory;
  #failure: Error | null = null;
  #isClosed = false;
  readonly #saver: MarketSaver;

  constructor(parts: MarketParts, speed: number) {
    this.#parts = parts;
    this.history = new MarketHistory(parts);
    this.#saver = new MarketSaver(parts);
    this.#timer = new MarketTimer(speed, {
      now: () => this.now,
      nextPrice: () => parts.source.next?.time ?? null,
      run: (time, mayGoOn) => this.#run(time, mayGoOn),
    });
  }

  /** Market time, in milliseconds since the epoch. */
  get now(): number {
    return this.#parts.engine.now;
  }

  /** Moves at the configured speed. */
  start(): void {
    this.#checkUsable();
    this.#timer.start();
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Moves to a time through all prices until then; never goes back. @throws StateError */
  advanceTo(time: number): void {
    while (!this.advancePart(time, maxPricesPerCommit));
  }

  /** Moves towards a time through about this number of prices. @returns whether it has arrived @throws StateError */
  advancePart(time: number, prices: number): boolean {
    this.#checkUsable();
    let remaining = prices;
    return this.#run(time, () => {
      remaining -= pricesPerCheck;
      return remaining > 0;
    });
  }

  /** Draws a new market's past until a time, coarsely: nobody trades in it. @throws StateError */
  drawHistory(until: number): void {
    this.#checkUsable();
    drawHistory(this.#parts, until);
    this.advanceTo(until);
  }

  /** Whether it moves only by `advanceTo`. */
  get isManual(): boolean {
    return this.#timer.isStill;
  }

  /** Whether there are no more prices. */
  get isOver(): boolean {
    return this.#parts.source.next === null;
  }

  /**
   * Executes a command. When it returns, the result is committed and subscribers have been notified.
   * @throws StateError storing the result failed; it is unknown whether it was stored
   */
  execute<Type extends CommandType>(type: Type, request: CommandRequests[Type]): CommandResult {
    this.#checkUsable();
    this.#timer.catchUp();
    this.#checkUsable();
    const requestId = "request_id" in request ? (request.request_id ?? "") : "";
    if (this.history.isSettled(requestId))
      return { executed: false, refusal: refuse.requestSettled(requestId) };
    const result = this.#parts.engine.execute(type, request);
    if (result.executed) this.#settle([]);
    return result;
  }

  /** The rows of a table, as pushed to subscribers. */
  snapshot<Model extends TableModel>(model: Model): readonly TableRecords[Model][] {
    return this.#parts.engine.snapshot(model);
  }

  /** Null: unknown instrument, or no price yet. */
  price(symbol: string): PriceUpdate | null {
    return this.#parts.engine.price(symbol);
  }

  instruments(): readonly InstrumentEntry[] {
    return instrumentEntries(this.#parts);
  }

  /** Undefined: unknown symbol. */
  instrument(symbol: string): Instrument | undefined {
    return this.#parts.instruments.find((instrument) => instrument.symbol === symbol);
  }

  /** The data of an account's report; null: unknown account. */
  reportSources(accountId: string): ReportSources | null {
    return readReportSources(this.#parts, accountId);
  }

  candles(query: CandleQuery): CandlesResult {
    return queryCandles({ ...this.#parts, now: this.now }, query);
  }

  /** @returns a function that unsubscribes */
  subscribe(listener: MarketListener): () => void {
    return this.#news.subscribe(listener);
  }

  /** Stops, stores the time and closes the files. @throws StateError */
  close(): void {
    if (this.#isClosed) return;
    this.stop();
    try {
      if (this.#failure === null) this.#commit();
    } finally {
      this.#isClosed = true;
      this.#parts.source.close();
      this.#parts.store.close();
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Applies the prices until a time, or until `mayGoOn` is false, and commits them.
   * @returns whether it reached the time
   */
  #run(time: number, mayGoOn: () => boolean): boolean {
    const { source, engine, candles } = this.#parts;
    const prices: PriceUpdate[] = [];
    let isBehind = false;
    try {
      for (let { next } = source; next !== null && next.time <= time; { next } = source) {
        engine.tick(next);
        candles.tick(next);
        const price = engine.price(next.symbol);
        if (price !== null) prices.push(price);
        source.advance();
        isBehind = prices.length % pricesPerCheck === 0 && !mayGoOn();
        if (isBehind) break;
      }
      if (!isBehind) engine.passTime(time);
      this.#news.end(endPrices(this.#parts));
    } catch (error) {
      this.#fail(error);
    }
    this.#settle(prices);
    return !isBehind;
  }

  #settle(prices: readonly PriceUpdate[]): void {
    const { engine } = this.#parts;
    const changes = engine.takeChanges();
    const isIdle = prices.length === 0 && changes.length === 0 && !engine.book.hasUnsaved;
    if (isIdle && engine.now - this.#saver.savedTime < idleMs) return;
    this.#commit();
    this.#news.tell({ prices, changes });
  }

  #commit(): void {
    try {
      this.#saver.save();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Stops for good: memory may be ahead of the stored state, so only a restart from that is safe. */
  #fail(error: unknown): never {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    this.stop();
    this.#news.fail(this.#failure);
    throw this.#failure;
  }

  #checkUsable(): void {
    if (this.#isClosed) throw new StateError("The market is closed: open it again");
    if (this.#failure === null) return;
    const { message } = this.#failure;
    throw new StateError(`The market has stopped, open it again: ${message}`, {
      cause: this.#failure,
    });
  }
}
