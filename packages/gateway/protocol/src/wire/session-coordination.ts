import type { SessionStatusBody } from "./session-status.ts";

/** Body of `POST {session}/close`; the whole body is optional too. */
export interface CloseRequestBody {
  readonly reason?: string;
  /** Whether requests in flight may finish or are aborted. @default "drain" */
  readonly mode?: "drain" | "abort";
}

export type CloseBody = SessionStatusBody;

/** Answer of `GET {session}/latest-success-step?model=`. */
export interface LatestSuccessStepBody {
  readonly session_id: string;
  readonly model: string;
  /** Null if no step has succeeded. */
  readonly step_id: number | null;
}

/** Body of `POST {session}/fork`. */
export interface ForkRequestBody {
  /** The session whose record answers. */
  readonly from: string;
  /** The last step answered from the record. @default all recorded steps */
  readonly step?: number | null;
  /** The model that `step` counts. @default the only model that has such a step */
  readonly model?: string | null;
  /**
   * What happens to a request that the record does not have: `fork` sends it, and all later ones, to the
   * model; `replay` refuses it (`replay_diverged`).
   * @default "fork"
   */
  readonly mode?: "fork" | "replay";
  /**
   * Members to ignore when a request is compared with the record, written as the refusal names them:
   * `metadata.user_id`, `messages[0].name`, `input[*].id`. At most 64, of 256 characters each.
   * @default none
   */
  readonly ignore?: readonly string[];
}

/** Answer of `POST {session}/fork`. */
export interface ForkBody {
  readonly session_id: string;
  readonly from: string;
  /** The model that `step` counts; null: the whole record is used. */
  readonly model: string | null;
  readonly step: number | null;
  readonly mode: "fork" | "replay";
  readonly ignore: readonly string[];
  /** How many steps of all models the record answers. */
  readonly recorded_steps: number;
}

/** Answer of `POST {session}/clean`. */
export interface CleanBody {
  readonly session_id: string;
  /** False if the session was not in memory. */
  readonly cleaned: boolean;
}
