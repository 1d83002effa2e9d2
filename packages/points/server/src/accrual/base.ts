/**
 * Where a computation can start instead of at the first event: the sums at some time, and the events they
 * include. Some snapshots write a base with the rankings, as of the beginning of their last 24 hours; later
 * snapshots read it and only the events since then. It can be used while the rules are still the same and no
 * event from before its time has arrived since; otherwise everything is computed from the events again.
 */
export interface Base {
  /** The id of the snapshot that it was written with. */
  readonly id: number;
  /** Unix seconds: it includes the events up to this time … */
  readonly time: number;
  /** … that had arrived with this `seq` or a smaller one. */
  readonly seq: number;
  /** What else it depends on. */
  readonly rules: string;
}

/** The sums of one account or one position; the format depends on the part. */
export type BaseEntry = readonly (string | number)[];

/** Reads and writes bases, part by part: the accounts, and every pool. */
export interface BaseStorage {
  readBase(base: Base, part: number): AsyncIterable<readonly BaseEntry[]>;
  writeBase(part: number, entries: Iterable<BaseEntry>): Promise<void>;
}
