import type {
  ContentProgramEntry,
  PointsConfig,
  PriceFeeds,
  Prices,
  QuestState,
} from "@proj/points-client";
import { ContentReader } from "./content/content-reader.ts";
import type { ImportReport } from "./ingest/import-report.ts";
import type {
  BuildOptions,
  ContentOptions,
  ContentReport,
  ImportOptions,
  IngestOptions,
  PointsStore,
} from "./points-store.ts";
import { PriceReader } from "./prices/price-reader.ts";
import type { Program } from "./program/program.ts";
import type { PageQuery, RankingPage } from "./snapshots/page.ts";
import type { SnapshotInfo } from "./snapshots/snapshot-info.ts";
import { SnapshotReader } from "./snapshots/snapshot-reader.ts";
import type { PointsDatabase } from "./storage/database.ts";
import { openForReading, type StorageOptions } from "./storage/open-database.ts";
import { StoreThreads } from "./threads/store-threads.ts";

export interface PointsStoreOptions extends StorageOptions {
  readonly program: Program;
}

const mostEvents = 10_000;
/** How long a snapshot that another program has built may go unseen. */
const newestForMs = 100;

/**
 * Opens the storage, makes it where there is none, and brings its schema up to date.
 * @throws TypeError `db_url` is of neither database, or names no file
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function openPointsStore(options: PointsStoreOptions): Promise<PointsStore> {
  const { program, ...storage } = options;
  const threads = new StoreThreads({ storage, program });
  try {
    await threads.call("open", null);
    return new OpenPointsStore(program, await openForReading(storage), threads);
  } catch (error) {
    await threads.close();
    throw error;
  }
}

class OpenPointsStore implements PointsStore {
  readonly program: Program;
  readonly #database: PointsDatabase;
  readonly #threads: StoreThreads;
  readonly #snapshots: SnapshotReader;
  readonly #prices: PriceReader;
  readonly #content: ContentReader;
  #building: Promise<SnapshotInfo> | null = null;

  constructor(program: Program, database: PointsDatabase, threads: StoreThreads) {
    this.program = program;
    this.#database = database;
    this.#threads = threads;
    this.#snapshots = new SnapshotReader(database, { newestForMs });
    this.#prices = new PriceReader(database);
    this.#content = new ContentReader(database);
  }

  get storage_type(): "sqlite" | "postgres" {
    return this.#database.storage_type;
  }

  readSnapshot(): Promise<SnapshotInfo | null> {
    return this.#snapshots.newest();
  }

  readPage(query: PageQuery): Promise<RankingPage> {
    return this.#snapshots.page(query);
  }

  async readQuest(address: string): Promise<QuestState> {
    const points = await this.#snapshots.points(address);
    if (points === null) return { totalPoints: "0", completed: false };
    const completed = points >= BigInt(this.program.quest.threshold);
    return { totalPoints: String(points), completed };
  }

  async readConfig(): Promise<PointsConfig> {
    const snapshot = await this.#snapshots.newest();
    const { refreshTime, pointsDecimal, pointsPerUsd, swapMultiplier, swapPairs } = this.program;
    const promotedPools = this.program.promotedPools.map(
      ({ address, pointsPerSecond, startCountTimestamp }) => ({
        address,
        pointsPerSecond,
        startCountTimestamp,
      }),
    );
    const lastSnapTimestamp = snapshot?.time ?? 0;
    return {
      ...{ refreshTime, pointsDecimal, promotedPools, lastSnapTimestamp },
      ...{ pointsPerUsd, swapMultiplier, swapPairs },
    };
  }

  readContent(address: string): Promise<readonly ContentProgramEntry[]> {
    return this.#content.entries(address);
  }

  readPriceFeeds(): Promise<PriceFeeds> {
    return this.#prices.feeds();
  }

  readPrices(tokens?: readonly string[]): Promise<Prices> {
    return this.#prices.prices(tokens);
  }

  async ingest(
    events: readonly unknown[],
    { onError = "refuse" }: IngestOptions = {},
  ): Promise<ImportReport> {
    if (events.length > mostEvents) {
      throw new RangeError(`${events.length} events are more than ${mostEvents} at once`);
    }
    return this.#threads.call("ingest", { events, onError });
  }

  importFile(file: string, options: ImportOptions = {}): Promise<ImportReport> {
    const { format, onError = "refuse", onProgress, signal } = options;
    return this.#threads.job(
      "import",
      "importFile",
      { file, format, onError },
      { onProgress, signal },
    );
  }

  importContent(file: string, { format, signal }: ContentOptions = {}): Promise<ContentReport> {
    return this.#threads.job("import", "importContent", { file, format }, { signal });
  }

  buildSnapshot(options: BuildOptions = {}): Promise<SnapshotInfo> {
    this.#building ??= this.#build(options).finally(() => {
      this.#building = null;
    });
    return this.#building;
  }

  async close(): Promise<void> {
    await this.#threads.close();
    this.#snapshots.forgetNewest();
    await this.#database.close();
  }

  async #build({ signal, unlessYoungerThan = 0 }: BuildOptions): Promise<SnapshotInfo> {
    this.#snapshots.forgetNewest();
    const newest = await this.#snapshots.newest();
    const now = Math.floor(Date.now() / 1000);
    if (newest !== null && now - newest.time < unlessYoungerThan) return newest;
    try {
      return await this.#threads.job("snapshot", "buildSnapshot", null, { signal });
    } finally {
      this.#snapshots.forgetNewest();
    }
  }
}
