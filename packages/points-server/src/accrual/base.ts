/**
 * Where a computation can start instead of at nothing: what all had come to at a time, and by which
 * events. Some snapshots write one beside the rankings, as of the beginning of their 24 hours; those that
 * follow read it and the events since then only. It is of use as long as the rules are those that it was
 * computed by, and no event of before its time has arrived since: then all is computed from the events again.
 */
export interface Base {
  /** Of the snapshot that it was written with. */
  readonly id: number;
  /** Unix seconds: the events until then … */
  readonly time: number;
  /** … that had arrived with this `seq` or before are in it. */
  readonly seq: number;
  /** What it depends on beside the events. */
  readonly rules: string;
}

/** What one account or one position had come to; of each part in a form of its own. */
export type BaseEntry = readonly (string | number)[];

/** Where bases are read from and written to, part by part: the accounts, and every pool. */
export interface BaseStorage {
  readBase(base: Base, part: number): AsyncIterable<readonly BaseEntry[]>;
  writeBase(part: number, entries: Iterable<BaseEntry>): Promise<void>;
}
