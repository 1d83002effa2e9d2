/**
 * Where a computation can start instead of at nothing: what all had come to at a time, and by which
 * events. Some snapshots write one beside the rankings, at the beginning of their 24 hours; those that
 * follow read it and the events since then only. Each part of it (the swaps, and every pool) is of use
 * as long as the rules are those that it was computed by and no event of before its time has arrived since.
 */
export interface Base {
  /** Of the snapshot that it was written with. */
  readonly id: number;
  /** Unix seconds: the events until then … */
  readonly time: number;
  /** … that had arrived with this `seq` or before are in it. */
  readonly seq: number;
  /** The rules that each part was computed by; a part that is not named is not there. */
  readonly rules: Readonly<Record<string, string>>;
}

/** What one address or one position had come to: of each part in a form of its own. */
export type BaseEntry = readonly (string | number)[];

/** Where bases are read from and written to, part by part. */
export interface BaseStorage {
  read(base: Base, part: number): AsyncIterable<readonly BaseEntry[]>;
  write(part: number, entries: Iterable<BaseEntry>): Promise<void>;
}
