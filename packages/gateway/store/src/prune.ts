/**
 * What stays of a session: `rewards` (its attempt, reward and scores), or also its `rows`, with their metadata and
 * without their payloads.
 */
export type PruneKeep = "rewards" | "rows";

export interface PrunableQuery {
  /** Sessions whose every row was made before this time, in the form of all stored times. */
  readonly before: string;
  readonly keep: PruneKeep;
  /** Only sessions of this job. @default null: any */
  readonly job_id?: string | null | undefined;
  /** `next_after` of the previous page. @default 0 */
  readonly after?: number | undefined;
}

/** What may be pruned: not a session that may still run, nor one whose record another session begins from. */
export interface PrunablePage {
  readonly session_ids: readonly string[];
  /** Of all these sessions: their rows, and the bytes of their payloads without large values. */
  readonly rows: number;
  readonly bytes: number;
  /** Null at the end. A page without sessions may be followed by others. */
  readonly next_after: number | null;
}

export interface SessionPruning {
  readonly session_ids: readonly string[];
  readonly keep: PruneKeep;
  /** A session with a row from this time on is left alone. @default null: prune it whatever its age */
  readonly before?: string | null | undefined;
}
