import type { ColumnType } from "kysely";

/** The tables as queries see them. Each migration in `migrations/` says what they are in the database. */
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

/** One row. A writer of events writes it first, so that `seq` grows in the order of the commits. */
interface LedgerTable {
  /** The largest `seq` given to an event. */
  last_seq: number;
  /** Where the last 24 hours of the newest snapshot begin: events until then may be in a base. */
  settled_until: number;
  /** `last_seq` when events last came whose time `settled_until` had passed. */
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
  /** Orders the events of a second. */
  sequence: ColumnType<number, number | undefined>;
  seq: number;
  id: string;
  kind: number;
  address: string;
  /** Of a price or an amount its decimals; of a domain the name; of a retraction the id of the event. */
  position: string | null;
  /** A decimal integer. */
  amount: string;
  /** The `seq` of the retraction that took it back; null: it counts. */
  retracted_seq: ColumnType<number | null, number | undefined>;
}

/** Retractions that came before their events. */
interface AwaitedRetractionsTable {
  target: string;
}

/** How far an indexer has come, in words of its own. */
interface CursorsTable {
  name: string;
  value: string;
  /** Unix seconds. */
  updated_at: number;
}

/** The rules that held from a time on, until those of the next row. */
interface ProgramsTable {
  /** Unix seconds. */
  valid_from: number;
  /** JSON of a `RuleSet`. */
  rules: string;
}

/** Where a computation can start: see accrual/base.ts. */
interface BasesTable {
  /** Empty: the ranking of all times. */
  season: string;
  /** The snapshot that it was written with. */
  snapshot: number;
  /** The events up to this time that … */
  time: number;
  /** … had arrived with a `seq` up to this one are in the base. */
  seq: number;
  /** What it was computed by. */
  rules: string;
}

interface BaseBlocksTable {
  /** The one that it was written with. */
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
  domain: string;
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
  /** Random: with it a name is of no other database's snapshot. */
  salt: string;
  /** Unix seconds: what had happened until then is in it. */
  time: number;
  state: SnapshotState;
  /** Events that had arrived with this `seq` or before are in it. */
  seq: number;
  /** Empty: of all times. */
  season: string;
  /** What it was computed by. */
  rules: string;
  total_items: number;
  lp_items: number;
  swaps_items: number;
  standing_blocks: number;
}

/** Only what is published is read. What is withdrawn stays until its blocks are deleted. */
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
