/** What an evaluator, a judge or a person says about a session. */
export interface Score {
  readonly session_id: string;
  /** What is scored: `reward`, or a criterion. */
  readonly name: string;
  /** `evaluator`, `judge:NAME` or `person:NAME`. */
  readonly author: string;
  /** Counts from 1 the times that the author was asked. */
  readonly repetition: number;
  /** Finite; null: only a label was given. */
  readonly value: number | null;
  readonly label: string | null;
  readonly comment: string | null;
  /** The session of the judge's own calls; null: a judge did not give it. */
  readonly judged_in: string | null;
  readonly created_at: string;
}

/** A score to be written; the storage's clock sets its time. */
export type NewScore = Omit<Score, "created_at">;

export interface ScoreQuery {
  readonly job_id: string;
  /** `next_after` of the previous page. */
  readonly after?: ScoreKey | undefined;
  /** @default 100, at most 1000 */
  readonly limit?: number | undefined;
}

export type ScoreKey = Pick<Score, "session_id" | "name" | "author" | "repetition">;

export interface ScorePage {
  readonly scores: readonly Score[];
  /** `after` for the next page; null at the end. */
  readonly next_after: ScoreKey | null;
}
