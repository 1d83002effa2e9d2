/** From which session a session begins: what its agent asks is answered from that one's record. */
export interface SessionFork {
  readonly session_id: string;
  readonly from_session_id: string;
  /** The model whose `step` ends the record; null: all of the record counts. */
  readonly model: string | null;
  /** The last step that is answered from the record; null: the last one there is. */
  readonly step: number | null;
  /** `fork`: what the record does not have is asked of the model. `replay`: it is refused. */
  readonly mode: ForkMode;
  /** Members of a request that may differ from the record, such as `metadata.user_id`. */
  readonly ignore: readonly string[];
}

export type ForkMode = "fork" | "replay";

/** What a simulation begins with. */
export type ForkOrigin = Omit<SessionFork, "session_id">;
