import { type TimeFrame, timeFrames } from "@proj/trading-client/wire";
import type { Instrument } from "../instruments/instrument.ts";
import type { Tick } from "../instruments/tick.ts";
import { type CsvLine, CsvLines, type CsvPlace } from "./csv-lines.ts";
import { type CsvDefaults, type CsvPrice, type LastQuotes, readCsvPrice } from "./csv-price.ts";
import { PriceFileError } from "./price-file-error.ts";
import type { PriceSource, PriceSourceParts } from "./price-source.ts";

/**
 * Plays candles or prices from files; see `readCsvPrice` for their columns. Downloads from Dukascopy,
 * HistData and the interface's own provider, and exports of MetaTrader 5, need no conversion.
 */
export interface CsvReplayConfig {
  readonly type: "csv";
  /** One file, or several to be merged. The records of each must be in order of time. */
  readonly file: string | readonly string[];
  /** Symbol of a file without a symbol column. @default the one in the file's name, as in `EURUSD_2026.csv` */
  readonly symbol?: string;
  /** Length of the file's candles, over which their prices are spread. @default "m1" */
  readonly time_frame?: TimeFrame;
}

export interface CsvReplayPosition extends CsvPlace {
  /** Number of prices already taken from the records of one time. */
  readonly taken: number;
  /** Before these records. */
  readonly last: LastQuotes;
}

const dayMs = 24 * 60 * 60_000;

/** Plays records of the same time together: all opens first, all closes last. */
export class CsvReplay implements PriceSource<CsvReplayPosition> {
  readonly #lines: CsvLines;
  readonly #instruments: ReadonlyMap<string, Instrument>;
  readonly #defaults: CsvDefaults;
  readonly #spanMs: number;
  #upcoming: readonly CsvLine[] = [];
  /** Number of used records in `#upcoming`. */
  #used = 0;
  #place: CsvPlace = { offset: 0, record: 0 };
  #time = Number.NEGATIVE_INFINITY;
  #ticks: readonly Tick[] = [];
  #taken = 0;
  #last: LastQuotes = {};
  #lastBefore: LastQuotes = {};

  /** @throws PriceFileError the file cannot be read */
  constructor(
    config: CsvReplayConfig & { readonly file: string },
    { instruments }: PriceSourceParts,
    position: CsvReplayPosition | null,
  ) {
    this.#instruments = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    this.#spanMs = timeFrames[config.time_frame ?? "m1"].durationMs ?? dayMs;
    this.#lines = new CsvLines(config.file);
    this.#defaults = { symbol: config.symbol, zone: this.#lines.zone };
    try {
      if (position !== null) {
        this.#lines.seek(position);
        this.#last = position.last ?? {};
      }
      this.#readGroup();
    } catch (error) {
      this.close();
      throw error;
    }
    this.#taken = position?.taken ?? 0;
  }

  get next(): Tick | null {
    return this.#ticks[this.#taken] ?? null;
  }

  get position(): CsvReplayPosition {
    return { ...this.#place, taken: this.#taken, last: this.#lastBefore };
  }

  get lastsMs(): number {
    return this.#spanMs;
  }

  /** A file without a symbol column has one symbol; of any other it is known only at the end. */
  hasEnded(symbol: string): boolean {
    return this.next === null || (this.#defaults.symbol ?? symbol) !== symbol;
  }

  advance(): void {
    this.#taken += 1;
    if (this.#taken >= this.#ticks.length) this.#readGroup();
  }

  close(): void {
    this.#lines.close();
  }

  /** Reads all records of the next time that has prices. */
  #readGroup(): void {
    this.#taken = 0;
    this.#ticks = [];
    this.#lastBefore = this.#last;
    const group: CsvPrice[] = [];
    for (let line = this.#peek(); line !== null; line = this.#peek()) {
      const price = readCsvPrice(line, this.#instruments, this.#defaults, this.#last);
      const [earlier] = group;
      if (price !== null && earlier !== undefined && price.time !== earlier.time) break;
      if (price !== null) {
        this.#checkOrder(price);
        if (earlier === undefined) this.#place = line.place;
        group.push(price);
        const [quote] = price.prices;
        if (quote !== undefined) this.#last = { ...this.#last, [price.instrument.symbol]: quote };
      }
      this.#used += 1;
    }
    if (group.length === 0) this.#place = this.#endPlace();
    this.#ticks = spread(group, this.#spanMs);
  }

  #peek(): CsvLine | null {
    if (this.#used >= this.#upcoming.length) {
      const block = this.#lines.readBlock();
      if (block.length === 0) return null;
      this.#upcoming = block;
      this.#used = 0;
    }
    return this.#upcoming[this.#used] ?? null;
  }

  /** The place after the last record, so that a restart finds no more either. */
  #endPlace(): CsvPlace {
    const last = this.#upcoming.at(-1)?.place ?? this.#place;
    return { offset: last.offset, record: last.record + 1 };
  }

  #checkOrder({ time, instrument }: CsvPrice): void {
    if (time < this.#time) {
      const when = new Date(time).toISOString();
      throw new PriceFileError(
        `The prices must be in order of time, but ${instrument.symbol} at ${when} comes after ${new Date(this.#time).toISOString()}`,
      );
    }
    this.#time = time;
  }
}

/** Interleaves the prices of several records. */
function spread(group: readonly CsvPrice[], spanMs: number): readonly Tick[] {
  const turns = Math.max(0, ...group.map(({ prices }) => prices.length));
  return Array.from({ length: turns }, (_, turn) =>
    group.flatMap(({ instrument: { symbol }, time, prices }): readonly Tick[] => {
      const price = prices[turn];
      const after = Math.floor((turn * spanMs) / prices.length);
      return price === undefined ? [] : [{ symbol, time: time + after, ...price }];
    }),
  ).flat();
}
