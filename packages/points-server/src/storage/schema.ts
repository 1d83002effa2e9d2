/** The tables as queries see them. Each migration in `migrations/` says what they are in the database. */
export interface PointsTables {
  storage_info: StorageInfoTable;
  ledger: LedgerTable;
  streams: StreamsTable;
  events: EventsTable;
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

/** One row. Who adds events writes it first, so that `seq` grows in the order of the commits. */
interface LedgerTable {
  /** The largest `seq` given to an event. */
  last_seq: number;
  /** Where the last 24 hours of the newest snapshot begin: events until then may be in a base. */
  settled_until: number;
  /** `last_seq` when events last came whose time `settled_until` had passed. */
  late_seq: number;
  /** The snapshot with which the base (see accrual/base.ts) was written; null: there is none. */
  base_snapshot: number | null;
  /** The events up to this time that … */
  base_time: number;
  /** … had arrived with a `seq` up to this one are in the base. */
  base_seq: number;
  /** The part of the program that it was computed by. */
  base_rules: string;
}

/** A pool or a pair of tokens: what events of different streams say never meets but in an address's sum. */
interface StreamsTable {
  id: number;
  key: string;
}

interface EventsTable {
  stream: number;
  time: number;
  seq: number;
  id: string;
  kind: number;
  address: string;
  position: string | null;
  /** A decimal integer. */
  amount: string;
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
  event_id: string;
}

interface DomainsTable {
  address: string;
  domain: string;
  time: number;
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
