import type { SessionStatusBody } from "./session-status.ts";

/** Body of `POST {session}/close`; the body as a whole is optional too. */
export interface CloseRequestBody {
  readonly reason?: string;
  /** Whether requests in flight may end, or are aborted. @default "drain" */
  readonly mode?: "drain" | "abort";
}

export type CloseBody = SessionStatusBody;

/** Answer of `GET {session}/latest-success-step?model=`. */
export interface LatestSuccessStepBody {
  readonly session_id: string;
  readonly model: string;
  /** Null: no step has succeeded. */
  readonly step_id: number | null;
}

/** Body of `POST {session}/fork`. */
export interface ForkRequestBody {
  /** The session whose record answers. */
  readonly from: string;
  /** The last step that is answered from it. @default all that are recorded */
  readonly step?: number | null;
  /** Whose step that is. @default the only model that has such a step */
  readonly model?: string | null;
  /**
   * What becomes of a request that the record does not have: `fork` asks the model, then and from then on;
   * `replay` refuses it (`replay_diverged`).
   * @default "fork"
   */
  readonly mode?: "fork" | "replay";
}

/** Answer of `POST {session}/fork`. */
export interface ForkBody {
  readonly session_id: string;
  readonly from: string;
  /** Whose step it is; null: all of the record counts. */
  readonly model: string | null;
  readonly step: number | null;
  readonly mode: "fork" | "replay";
  /** How many steps, of all models, the record answers. */
  readonly recorded_steps: number;
}

/** Answer of `POST {session}/clean`. */
export interface CleanBody {
  readonly session_id: string;
  /** False where the session was not in memory. */
  readonly cleaned: boolean;
}
