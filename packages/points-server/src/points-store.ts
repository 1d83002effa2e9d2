import type {
  ContentProgramEntry,
  HistoryEntry,
  PointsConfig,
  PriceFeeds,
  Prices,
  QuestState,
} from "@proj/points-protocol";
import type { AddressAudit } from "./audit/audit-address.ts";
import type { ImportReport, OnError } from "./ingest/import-report.ts";
import type { FileFormat } from "./ingest/read-lines.ts";
import type { Cursor } from "./ledger/cursor.ts";
import type { Program } from "./program/program.ts";
import type { PageQuery, RankingPage } from "./snapshots/page.ts";
import type { RecomputePreview } from "./snapshots/preview-recompute.ts";
import type { SnapshotInfo } from "./snapshots/snapshot-info.ts";

/**
 * Events, what they earned, and the snapshots of what each address has earned. Reads are a few lookups by
 * key and never wait for imports or snapshots, which run on threads of their own.
 *
 * Every method throws a StoreUnavailableError where the storage cannot be used now.
 */
export interface PointsStore {
  readonly program: Program;
  readonly storage_type: "sqlite" | "postgres";

  /** The snapshot that is read; null: none has been built yet. */
  readSnapshot(): Promise<SnapshotInfo | null>;
  /** @throws NoSnapshotError; SnapshotGoneError the query names a snapshot that is no longer kept */
  readPage(query: PageQuery): Promise<RankingPage>;
  /** As of the newest snapshot. @throws NoSnapshotError */
  readQuest(address: string): Promise<QuestState>;
  /** By day, the oldest first; the last one is of the newest snapshot. @throws NoSnapshotError */
  readHistory(address: string): Promise<readonly HistoryEntry[]>;
  readConfig(): Promise<PointsConfig>;
  /** The address that took a domain last, or null. */
  readOwner(domain: string): Promise<string | null>;
  readContent(address: string): Promise<readonly ContentProgramEntry[]>;
  readPriceFeeds(): Promise<PriceFeeds>;
  /** @param tokens @default all; unknown ones are left out */
  readPrices(tokens?: readonly string[]): Promise<Prices>;

  /**
   * Adds up to 10,000 events in one transaction; durable when it resolves. Those that are known already
   * are only counted.
   * @throws ImportError some cannot be taken, and `onError` is `refuse`
   * @throws CursorConflictError the cursor is elsewhere; nothing was stored
   * @throws RangeError there are more
   */
  ingest(events: readonly unknown[], options?: IngestOptions): Promise<ImportReport>;
  /** How far an indexer has come; null: no cursor has this name. */
  readCursor(name: string): Promise<string | null>;
  /**
   * Adds the events of a file, batch by batch. After a failure some are there; importing the file again
   * adds the rest.
   * @throws ImportError some cannot be taken, and `onError` is `refuse`; and errors of the file system
   */
  importFile(file: string, options?: ImportOptions): Promise<ImportReport>;
  /**
   * Puts the entries of a file in the place of all that were there, at once.
   * @throws ImportError some cannot be taken, and nothing was changed; and errors of the file system
   */
  importContent(file: string, options?: ContentOptions): Promise<ContentReport>;

  /**
   * Builds a snapshot and puts it in the place of the one that is read. One at a time: who asks while
   * one is being built gets that one.
   * @throws ProgramChangeError the rules cannot hold from now on
   * @throws SnapshotSupersededError another process has begun a newer one meanwhile
   */
  buildSnapshot(options?: BuildOptions): Promise<SnapshotInfo>;

  /** What `buildSnapshot({ recompute: true })` would change. Changes nothing. */
  previewRecompute(options?: { readonly signal?: AbortSignal }): Promise<RecomputePreview>;

  /** Why an address has its points. Reads all events of its pools. @throws NoSnapshotError */
  audit(address: string, options?: { readonly signal?: AbortSignal }): Promise<AddressAudit>;

  /** Gives up imports and snapshots, waits for what is being ingested, and lets go of everything. */
  close(): Promise<void>;
}

export interface IngestOptions {
  /** @default "refuse" */
  readonly onError?: OnError | undefined;
  /** Stored with the events, or not at all. @default none */
  readonly cursor?: Cursor | null | undefined;
}

export interface ImportOptions extends Omit<IngestOptions, "cursor">, ContentOptions {
  /** Is told after each batch what is durable so far. */
  readonly onProgress?: ((report: ImportReport) => void) | undefined;
}

export interface ContentOptions {
  /** @default CSV for a name that ends in .csv, JSON Lines for all others */
  readonly format?: FileFormat | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ContentReport {
  /** How many there are now. */
  readonly entries: number;
}

export interface BuildOptions {
  /** Of the caller who began it. */
  readonly signal?: AbortSignal | undefined;
  /** Seconds: the newest one is good enough where it is younger. @default 0 */
  readonly unlessYoungerThan?: number | undefined;
  /**
   * The program's rules hold for everything that ever happened, not from now on; see `previewRecompute`.
   * @default false
   */
  readonly recompute?: boolean | undefined;
}
