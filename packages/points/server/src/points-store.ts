import type {
  ContentProgramEntry,
  HistoryEntry,
  PointsConfig,
  PriceFeeds,
  Prices,
  QuestState,
} from "@proj/points-client/wire";
import type { AddressAudit } from "./audit/audit-address.ts";
import type { ContentReport } from "./content/import-content.ts";
import type { ImportReport, OnError } from "./ingest/import-report.ts";
import type { FileFormat } from "./ingest/read-lines.ts";
import type { Cursor } from "./ledger/cursor.ts";
import type { Program } from "./program/program.ts";
import type { PageQuery, RankingPage } from "./snapshots/page.ts";
import type { RecomputePreview } from "./snapshots/preview-recompute.ts";
import type { SnapshotInfo } from "./snapshots/snapshot-info.ts";

/**
 * Stores events, and the snapshots of what each address has earned. Reads are a few lookups by key and never wait
 * for imports or snapshots, which run on threads of their own.
 *
 * Every method throws a StoreUnavailableError if the storage cannot be used at the moment.
 */
export interface PointsStore {
  readonly program: Program;
  readonly storage_type: "sqlite" | "postgres";

  /** The newest snapshot; null: none has been built yet. */
  readSnapshot(): Promise<SnapshotInfo | null>;
  /** @throws NoSnapshotError; SnapshotGoneError the query names a snapshot that is no longer kept */
  readPage(query: PageQuery): Promise<RankingPage>;
  /** As of the newest snapshot. @throws NoSnapshotError */
  readQuest(address: string): Promise<QuestState>;
  /** By day, oldest first; the last entry is from the newest snapshot. @throws NoSnapshotError */
  readHistory(address: string): Promise<readonly HistoryEntry[]>;
  readConfig(): Promise<PointsConfig>;
  /** The address that took a domain last, or null. */
  readOwner(domain: string): Promise<string | null>;
  readContent(address: string): Promise<readonly ContentProgramEntry[]>;
  readPriceFeeds(): Promise<PriceFeeds>;
  /** @param tokens @default all; unknown ones are left out */
  readPrices(tokens?: readonly string[]): Promise<Prices>;

  /**
   * Adds up to 10,000 events in one transaction; durable when it resolves. Events that are already known are only
   * counted.
   * @throws ImportError some are bad, and `onError` is `refuse`
   * @throws CursorConflictError the cursor has another value; nothing was stored
   * @throws RangeError there are too many
   */
  ingest(events: readonly unknown[], options?: IngestOptions): Promise<ImportReport>;
  /** How far an indexer has come; null: there is no such cursor. */
  readCursor(name: string): Promise<string | null>;
  /**
   * Adds the events of a file, batch by batch. After a failure some are stored; importing the file again adds the
   * rest.
   * @throws ImportError some are bad, and `onError` is `refuse`; and errors of the file system
   */
  importFile(file: string, options?: ImportOptions): Promise<ImportReport>;
  /**
   * Replaces all entries of the content program with those of a file, at once.
   * @throws ImportError some are bad, and nothing was changed; and errors of the file system
   */
  importContent(file: string, options?: ContentOptions): Promise<ContentReport>;

  /**
   * Builds a snapshot, which then becomes the newest. Only one is built at a time: a call made meanwhile gets the
   * same one.
   * @throws ProgramChangeError the rules cannot apply from now on
   * @throws SnapshotSupersededError another process has started a newer one meanwhile
   */
  buildSnapshot(options?: BuildOptions): Promise<SnapshotInfo>;

  /** Shows what `buildSnapshot({ recompute: true })` would change, without changing it. */
  previewRecompute(options?: { readonly signal?: AbortSignal }): Promise<RecomputePreview>;

  /** How an address got its points. Reads all events of its pools. @throws NoSnapshotError */
  audit(address: string, options?: { readonly signal?: AbortSignal }): Promise<AddressAudit>;

  /** Aborts imports and snapshots, waits for calls of `ingest`, and releases everything. */
  close(): Promise<void>;
}

export interface IngestOptions {
  /** @default "refuse" */
  readonly onError?: OnError | undefined;
  /** Stored in the same transaction as the events. @default none */
  readonly cursor?: Cursor | null | undefined;
}

export interface ImportOptions extends Omit<IngestOptions, "cursor">, ContentOptions {
  /** Called after each batch with what is durable so far. */
  readonly onProgress?: ((report: ImportReport) => void) | undefined;
}

export interface ContentOptions {
  /** @default CSV if the name ends in .csv, else JSON Lines */
  readonly format?: FileFormat | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BuildOptions {
  /** Aborts the build if this call started it. */
  readonly signal?: AbortSignal | undefined;
  /** Seconds: returns the newest snapshot if it is younger than this. @default 0 */
  readonly unlessYoungerThan?: number | undefined;
  /**
   * Applies the program's rules to all events ever, instead of from now on; see `previewRecompute`.
   * @default false
   */
  readonly recompute?: boolean | undefined;
}
