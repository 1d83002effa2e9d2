import { basename } from "node:path";
import type { Instrument } from "../instruments/instrument.ts";
import type { Tick } from "../instruments/tick.ts";
import { CsvReplay, type CsvReplayConfig, type CsvReplayPosition } from "./csv-replay.ts";
import type { PriceSource, PriceSourceParts } from "./price-source.ts";

/** Plays several files as one, in order of time; downloads usually have one file per symbol. */
export class MergedReplay implements PriceSource<readonly CsvReplayPosition[]> {
  readonly #replays: readonly CsvReplay[];

  /** @throws PriceFileError a file cannot be read */
  constructor(
    config: CsvReplayConfig,
    parts: PriceSourceParts,
    positions: readonly CsvReplayPosition[] | null,
  ) {
    const opened: CsvReplay[] = [];
    try {
      for (const [index, file] of csvFiles(config).entries()) {
        const symbol = config.symbol ?? symbolInName(file, parts.instruments);
        const of = { ...config, file, ...(symbol === undefined ? {} : { symbol }) };
        opened.push(new CsvReplay(of, parts, positions?.[index] ?? null));
      }
    } catch (error) {
      for (const replay of opened) replay.close();
      throw error;
    }
    this.#replays = opened;
  }

  get next(): Tick | null {
    return this.#earliest()?.next ?? null;
  }

  get position(): readonly CsvReplayPosition[] {
    return this.#replays.map(({ position }) => position);
  }

  get lastsMs(): number {
    return Math.max(...this.#replays.map(({ lastsMs }) => lastsMs));
  }

  hasEnded(symbol: string): boolean {
    return this.#replays.every((replay) => replay.hasEnded(symbol));
  }

  advance(): void {
    this.#earliest()?.advance();
  }

  close(): void {
    for (const replay of this.#replays) replay.close();
  }

  #earliest(): CsvReplay | null {
    let found: CsvReplay | null = null;
    for (const replay of this.#replays) {
      const time = replay.next?.time ?? Number.POSITIVE_INFINITY;
      // At equal times, files are played in their given order.
      if (time < (found?.next?.time ?? Number.POSITIVE_INFINITY)) found = replay;
    }
    return found;
  }
}

export function csvFiles({ file }: CsvReplayConfig): readonly string[] {
  return typeof file === "string" ? [file] : file;
}

/** The symbol in a download's file name, as in EURUSD_Ticks_2026.csv. */
function symbolInName(file: string, instruments: readonly Instrument[]): string | undefined {
  const name = basename(file).toUpperCase();
  const found = instruments.filter(({ base, quote }) => name.includes(`${base}${quote}`));
  return found.length === 1 ? found[0]?.symbol : undefined;
}
