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

/** Answer of `POST {session}/clean`. */
export interface CleanBody {
  readonly session_id: string;
  /** False where the session was not in memory. */
  readonly cleaned: boolean;
}
