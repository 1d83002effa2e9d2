import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StoreOptions } from "@proj/session-store";
import { within } from "@proj/test-kit";
import { firstMessage, startPinned } from "../machine/pinned-process.ts";
import { median, shuffled } from "../statistics.ts";
import { progress } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import type { RunningPostgres } from "./running-postgres.ts";
import type { WritingResult, WritingSpec } from "./writing-protocol.ts";

const MAIN = fileURLToPath(import.meta.resolve("./writing-main.ts"));
const LONGEST_START_MS = 30_000;
const BATCHES = [1, 200] as const;
const STORAGES = ["sqlite", "postgres"] as const;

type Storage = (typeof STORAGES)[number];

export interface WritingRecord extends WritingResult {
  readonly storage: Storage;
  readonly batch: number;
  readonly repetition: number;
}

export interface WritingOptions {
  readonly repetitions: number;
  readonly windowMs: number;
  readonly cores: string | null;
  /** An empty folder on a real disk. */
  readonly folder: string;
  readonly postgres: RunningPostgres;
}

/** Rows per second into an empty database, through `openStore`, with rounds in random order. */
export async function measureWriting(options: WritingOptions): Promise<readonly WritingRecord[]> {
  const cells = STORAGES.flatMap((storage) => BATCHES.map((batch) => ({ storage, batch })));
  const records: WritingRecord[] = [];
  for (let repetition = 0; repetition < options.repetitions; repetition++) {
    for (const { storage, batch } of shuffled(cells)) {
      const spec = {
        storage: await emptyStorage(storage, `rows-${batch}-${repetition}.db`, options),
        ...{ batch, windowMs: options.windowMs },
      };
      const result = await write(spec, options.cores);
      records.push({ storage, batch, repetition, ...result });
      progress(`${storage}, ${batch} a call: ${result.rows_per_second.toFixed(0)} rows/s`);
    }
  }
  return records;
}

async function emptyStorage(
  storage: Storage,
  file: string,
  { folder, postgres }: WritingOptions,
): Promise<StoreOptions> {
  return storage === "sqlite"
    ? { storage_type: "sqlite", storage_config: { db_url: `sqlite://${join(folder, file)}` } }
    : { storage_type: "cloud", storage_config: { db_url: await postgres.newDatabase() } };
}

async function write(spec: WritingSpec, cores: string | null): Promise<WritingResult> {
  const writer = startPinned({
    cores,
    command: process.execPath,
    args: [...process.execArgv, MAIN, JSON.stringify(spec)],
    ipc: true,
  });
  try {
    const result = firstMessage(writer, (message) => message as WritingResult);
    return await within(result, "the rows to be written", LONGEST_START_MS + 4 * spec.windowMs);
  } finally {
    await writer.stop();
  }
}

export function writingTable(records: readonly WritingRecord[]): string {
  const cell = (storage: Storage, batch: number): readonly WritingRecord[] =>
    records.filter((record) => record.storage === storage && record.batch === batch);
  const ratio = (above: readonly WritingRecord[], below: readonly WritingRecord[]): string => {
    const ratios = above.flatMap(({ repetition, rows_per_second }) => {
      const other = below.find((record) => record.repetition === repetition);
      return other === undefined ? [] : [rows_per_second / other.rows_per_second];
    });
    return median(ratios).toFixed(2);
  };
  const rows = STORAGES.flatMap((storage) =>
    BATCHES.map((batch) => [
      storage,
      String(batch),
      median(cell(storage, batch).map((record) => record.rows_per_second)).toFixed(0),
      ratio(cell(storage, batch), cell(storage, 1)),
      ratio(cell(storage, batch), cell("sqlite", batch)),
    ]),
  );
  return textTable(["storage", "rows a call", "rows/s", "/ one a call", "/ sqlite"], rows);
}
