/** A session that begins from another session's record: the record answers its agent's requests. */
export interface SessionFork {
  readonly session_id: string;
  readonly from_session_id: string;
  /** The model that `step` counts; null: the whole record is used. */
  readonly model: string | null;
  /** The last step to answer from the record; null: the last one in it. */
  readonly step: number | null;
  /** For requests that are not in the record: `fork` asks the model, `replay` refuses them. */
  readonly mode: ForkMode;
  /** Members of a request that may differ from the record, such as `metadata.user_id`. */
  readonly ignore: readonly string[];
}

export type ForkMode = "fork" | "replay";

/** The record that a simulation begins from. */
export type ForkOrigin = Omit<SessionFork, "session_id">;
