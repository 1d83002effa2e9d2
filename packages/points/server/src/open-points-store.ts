import type {
  ContentProgramEntry,
  HistoryEntry,
  PointsConfig,
  PriceFeeds,
  Prices,
  QuestState,
} from "@proj/points-client/wire";
import type { AddressAudit } from "./audit/audit-address.ts";
import { ContentReader } from "./content/content-reader.ts";
import type { ImportReport } from "./ingest/import-report.ts";
import { mostEvents } from "./ingest/most-events.ts";
import { ledgerQueries } from "./ledger/ledger-queries.ts";
import type {
  BuildOptions,
  ContentOptions,
  ContentReport,
  ImportOptions,
  IngestOptions,
  PointsStore,
} from "./points-store.ts";
import { PriceReader } from "./prices/price-reader.ts";
import { folded } from "./program/address.ts";
import type { Program } from "./program/program.ts";
import { ratesAt } from "./program/rule-set.ts";
import type { PageQuery, RankingPage } from "./snapshots/page.ts";
import type { RecomputePreview } from "./snapshots/preview-recompute.ts";
import type { SnapshotInfo } from "./snapshots/snapshot-info.ts";
import { SnapshotReader } from "./snapshots/snapshot-reader.ts";
import { isSqlite, openForReading, type StorageOptions } from "./storage/open-database.ts";
import type { PointsDatabase } from "./storage/source.ts";
import { StoreThreads } from "./threads/store-threads.ts";

export interface PointsStoreOptions extends StorageOptions {
  readonly program: Program;
  /**
   * Linux: the `nice` value, 0 to 19, of the threads that import and build snapshots. At 15 they get a thirtieth of
   * a core that requests keep busy, and all of an idle one. Choose a lower value if other programs keep every core
   * busy; otherwise snapshots are late.
   * @default 15
   */
  readonly jobNiceness?: number | undefined;
}

/** How long a snapshot built by another process may go unnoticed. */
const newestForMs = 100;

/**
 * Opens the storage, creates it if necessary, and brings its schema up to date.
 * @throws TypeError `db_url` is neither SQLite nor PostgreSQL, or does not name a file
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function openPointsStore(options: PointsStoreOptions): Promise<PointsStore> {
  const { program, jobNiceness = 15, ...storage } = options;
  const threads = new StoreThreads({ storage, program, jobNiceness });
  try {
    await threads.call("open", null);
    const storage_type = isSqlite(storage.db_url) ? "sqlite" : "postgres";
    return new OpenPointsStore(program, storage_type, await openForReading(storage), threads);
  } catch (error) {
    await threads.close();
    throw error;
  }
}

class OpenPointsStore implements PointsStore {
  readonly program: Program;
  readonly storage_type: PointsStore["storage_type"];
  readonly #database: PointsDatabase;
  readonly #threads: StoreThreads;
  readonly #snapshots: SnapshotReader;
  readonly #prices: PriceReader;
  readonly #content: ContentReader;
  #building: Promise<SnapshotInfo> | null = null;

  constructor(
    program: Program,
    storage_type: PointsStore["storage_type"],
    database: PointsDatabase,
    threads: StoreThreads,
  ) {
    this.program = program;
    this.storage_type = storage_type;
    this.#database = database;
    this.#threads = threads;
    this.#snapshots = new SnapshotReader(database, { newestForMs });
    this.#prices = new PriceReader(database);
    this.#content = new ContentReader(database);
  }

  readSnapshot(): Promise<SnapshotInfo | null> {
    return this.#snapshots.newest();
  }

  readPage(query: PageQuery): Promise<RankingPage> {
    const { address } = query;
    return this.#snapshots.page({
      ...query,
      address: address === null ? null : folded(this.program, address),
    });
  }

  async readQuest(address: string): Promise<QuestState> {
    const points = await this.#snapshots.points(folded(this.program, address));
    if (points === null) return { totalPoints: "0", completed: false };
    const completed = points >= BigInt(this.program.quest.threshold);
    return { totalPoints: String(points), completed };
  }

  readHistory(address: string): Promise<readonly HistoryEntry[]> {
    return this.#snapshots.history(folded(this.program, address));
  }

  async readConfig(): Promise<PointsConfig> {
    const snapshot = await this.#snapshots.newest();
    const now = Math.floor(Date.now() / 1000);
    const { refreshTime, pointsDecimal } = this.program;
    const { pointsPerUsd, swapMultiplier, swapPairs } = ratesAt(this.program, now);
    const lasting = this.program.promotedPools.filter(
      ({ endCountTimestamp: end }) => end === undefined || Number(end) > now,
    );
    const promotedPools = lasting.map(({ address, pointsPerSecond, startCountTimestamp }) => ({
      address,
      pointsPerSecond,
      startCountTimestamp,
    }));
    const lastSnapTimestamp = snapshot?.time ?? 0;
    return {
      ...{ refreshTime, pointsDecimal, promotedPools, lastSnapTimestamp },
      ...{ pointsPerUsd, swapMultiplier, swapPairs },
    };
  }

  async readOwner(domain: string): Promise<string | null> {
    if (domain === "") return null;
    return (await this.#database.run(ledgerQueries.findOwner, { domain })).rows[0]?.address ?? null;
  }

  readContent(address: string): Promise<readonly ContentProgramEntry[]> {
    return this.#content.entries(folded(this.program, address));
  }

  readPriceFeeds(): Promise<PriceFeeds> {
    return this.#prices.feeds();
  }

  readPrices(tokens?: readonly string[]): Promise<Prices> {
    return this.#prices.prices(tokens?.map((token) => folded(this.program, token)));
  }

  async ingest(
    events: readonly unknown[],
    { onError = "refuse", cursor = null }: IngestOptions = {},
  ): Promise<ImportReport> {
    if (events.length > mostEvents) {
      throw new RangeError(`${events.length} events are too many: at most ${mostEvents} at once`);
    }
    return this.#threads.call("ingest", { events, onError, cursor });
  }

  async readCursor(name: string): Promise<string | null> {
    return (await this.#database.run(ledgerQueries.findCursor, { name })).rows[0]?.value ?? null;
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

  previewRecompute({ signal }: { readonly signal?: AbortSignal } = {}): Promise<RecomputePreview> {
    return this.#threads.job("snapshot", "previewRecompute", null, { signal });
  }

  audit(
    address: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<AddressAudit> {
    const request = { address: folded(this.program, address) };
    return this.#threads.job("snapshot", "audit", request, { signal });
  }

  async close(): Promise<void> {
    await this.#threads.close();
    this.#snapshots.forgetNewest();
    await this.#database.close();
  }

  async #build({
    signal,
    unlessYoungerThan = 0,
    recompute = false,
  }: BuildOptions): Promise<SnapshotInfo> {
    this.#snapshots.forgetNewest();
    const newest = await this.#snapshots.newest();
    const now = Math.floor(Date.now() / 1000);
    if (newest !== null && now - newest.time < unlessYoungerThan) return newest;
    try {
      return await this.#threads.job("snapshot", "buildSnapshot", { recompute }, { signal });
    } finally {
      this.#snapshots.forgetNewest();
    }
  }
}
