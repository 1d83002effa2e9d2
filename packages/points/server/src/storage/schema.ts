import type { ColumnType } from "@proj/database/kysely";

/** The tables as queries see them. The migrations define them in the database. */
export interface PointsTables {
  storage_info: StorageInfoTable;
  ledger: LedgerTable;
  streams: StreamsTable;
  events: EventsTable;
  awaited_retractions: AwaitedRetractionsTable;
  cursors: CursorsTable;
  programs: ProgramsTable;
  bases: BasesTable;
  base_blocks: BaseBlocksTable;
  prices: PricesTable;
  domains: DomainsTable;
  content_entries: ContentEntriesTable;
  snapshots: SnapshotsTable;
  ranking_blocks: RankingBlocksTable;
  standing_blocks: StandingBlocksTable;
}

/** One row. */
interface StorageInfoTable {
  storage_id: string;
  schema_version: number;
  created_at: string;
}

/** One row. Each writer of events updates it first, so that `seq` follows the order of the commits. */
interface LedgerTable {
  /** The largest `seq` given to an event. */
  last_seq: number;
  /** The start of the last 24 hours of the newest snapshot: earlier events may be in a base. */
  settled_until: number;
  /** `last_seq` when events older than `settled_until` last arrived. */
  late_seq: number;
}

/** A pool, a pair of tokens, amounts of one of them, a token's price, or all domains: see ledger/streams.ts. */
interface StreamsTable {
  id: number;
  key: string;
}

interface EventsTable {
  stream: number;
  time: number;
  /** Orders events of the same second. */
  sequence: ColumnType<number, number | undefined>;
  seq: number;
  id: string;
  kind: number;
  address: string;
  /** For a price or an amount, its decimals; for a domain, its name; for a retraction, the id of the event. */
  position: string | null;
  /** A decimal integer. */
  amount: string;
  /** The `seq` of the retraction that took it back; null: it counts. */
  retracted_seq: ColumnType<number | null, number | undefined>;
}

/** Retractions that arrived before their events. */
interface AwaitedRetractionsTable {
  target: string;
}

/** How far an indexer has come, in its own terms. */
interface CursorsTable {
  name: string;
  value: string;
  /** Unix seconds. */
  updated_at: number;
}

/** The rules from some time until the next row. */
interface ProgramsTable {
  /** Unix seconds. */
  valid_from: number;
  /** JSON of a `RuleSet`. */
  rules: string;
}

/** Where a computation can start: see accrual/base.ts. */
interface BasesTable {
  /** Empty: all time. */
  season: string;
  /** The snapshot that it was written with. */
  snapshot: number;
  /** The events up to this time … */
  time: number;
  /** … that had arrived with this `seq` or a smaller one are in the base. */
  seq: number;
  /** The rules that it was computed with. */
  rules: string;
}

interface BaseBlocksTable {
  /** The snapshot that it was written with. */
  snapshot: number;
  part: number;
  block: number;
  entries: string;
}

interface PricesTable {
  token: string;
  price: string;
  price_decimals: number;
  time: number;
  sequence: number;
  event_id: string;
}

interface DomainsTable {
  address: string;
  /** As it was written; empty: the address no longer has one. */
  domain: string;
  /** By which it is looked up, in lower case. */
  name: string;
  time: number;
  sequence: number;
  event_id: string;
}

interface ContentEntriesTable {
  address: string;
  start_timestamp: number;
  end_timestamp: number;
  points: number;
}

interface SnapshotsTable {
  id: number;
  /** Random; makes a name unique across databases. */
  salt: string;
  /** Unix seconds: it includes the events up to this time. */
  time: number;
  state: SnapshotState;
  /** It includes the events with this `seq` or a smaller one. */
  seq: number;
  /** Empty: all time. */
  season: string;
  /** The rules that it was computed with. */
  rules: string;
  total_items: number;
  lp_items: number;
  swaps_items: number;
  standing_blocks: number;
}

/** Only published snapshots are read. A withdrawn one remains until its blocks are deleted. */
type SnapshotState = "building" | "published" | "withdrawn";

interface RankingBlocksTable {
  snapshot: number;
  ranking: number;
  block: number;
  entries: string;
}

interface StandingBlocksTable {
  snapshot: number;
  block: number;
  entries: string;
}
