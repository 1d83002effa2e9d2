import { readContent } from "./content/read-content.ts";
import { maxEvents } from "./ingest/ingest-events.ts";
import { readOwner } from "./ledger/current-values.ts";
import { readCursor } from "./ledger/cursor.ts";
import type { BuildOptions, PointsStore } from "./points-store.ts";
import { PriceReader } from "./prices/price-reader.ts";
import { folded } from "./program/address.ts";
import type { Program } from "./program/program.ts";
import { ratesAt } from "./program/rule-set.ts";
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
    return storeOf(program, storage_type, await openForReading(storage), threads);
  } catch (error) {
    await threads.close();
    throw error;
  }
}

function storeOf(
  program: Program,
  storage_type: PointsStore["storage_type"],
  database: PointsDatabase,
  threads: StoreThreads,
): PointsStore {
  const snapshots = new SnapshotReader(database, { newestForMs });
  const prices = new PriceReader(database);
  const fold = (address: string): string => folded(program, address);
  let building: Promise<SnapshotInfo> | null = null;

  const build = async (options: BuildOptions): Promise<SnapshotInfo> => {
    const { signal, unlessYoungerThan = 0, recompute = false } = options;
    snapshots.forgetNewest();
    const newest = await snapshots.newest();
    const now = Math.floor(Date.now() / 1000);
    if (newest !== null && now - newest.time < unlessYoungerThan) return newest;
    try {
      return await threads.job("snapshot", "buildSnapshot", { recompute }, { signal });
    } finally {
      snapshots.forgetNewest();
    }
  };

  return {
    program,
    storage_type,
    readSnapshot: () => snapshots.newest(),
    readPage: ({ address, ...query }) =>
      snapshots.page({ ...query, address: address === null ? null : fold(address) }),
    readQuest: async (address) => {
      const points = await snapshots.points(fold(address));
      if (points === null) return { totalPoints: "0", completed: false };
      const completed = points >= BigInt(program.quest.threshold);
      return { totalPoints: String(points), completed };
    },
    readHistory: (address) => snapshots.history(fold(address)),
    readConfig: async () => {
      const snapshot = await snapshots.newest();
      const now = Math.floor(Date.now() / 1000);
      const { refreshTime, pointsDecimal } = program;
      const { pointsPerUsd, swapMultiplier, swapPairs } = ratesAt(program, now);
      const lasting = program.promotedPools.filter(
        ({ endCountTimestamp: end }) => end === undefined || Number(end) > now,
      );
      const promotedPools = lasting.map(({ address, pointsPerSecond, startCountTimestamp }) => ({
        ...{ address, pointsPerSecond, startCountTimestamp },
      }));
      const lastSnapTimestamp = snapshot?.time ?? 0;
      return {
        ...{ refreshTime, pointsDecimal, promotedPools, lastSnapTimestamp },
        ...{ pointsPerUsd, swapMultiplier, swapPairs },
      };
    },
    readOwner: (domain) => readOwner(database, domain),
    readContent: (address) => readContent(database, fold(address)),
    readPriceFeeds: () => prices.feeds(),
    readPrices: (tokens) => prices.prices(tokens?.map(fold)),

    ingest: async (events, { onError = "refuse", cursor = null } = {}) => {
      if (events.length > maxEvents)
        throw new RangeError(`${events.length} events are too many: at most ${maxEvents} at once`);
      return threads.call("ingest", { events, onError, cursor });
    },
    readCursor: (name) => readCursor(database, name),
    importFile: (file, { format, onError = "refuse", onProgress, signal } = {}) => {
      const request = { file, format, onError };
      return threads.job("import", "importFile", request, { onProgress, signal });
    },
    importContent: (file, { format, signal } = {}) =>
      threads.job("import", "importContent", { file, format }, { signal }),

    buildSnapshot: (options = {}) => {
      building ??= build(options).finally(() => {
        building = null;
      });
      return building;
    },
    previewRecompute: ({ signal } = {}) =>
      threads.job("snapshot", "previewRecompute", null, { signal }),
    audit: (address, { signal } = {}) =>
      threads.job("snapshot", "audit", { address: fold(address) }, { signal }),
    close: async () => {
      await threads.close();
      snapshots.forgetNewest();
      await database.close();
    },
  };
}
