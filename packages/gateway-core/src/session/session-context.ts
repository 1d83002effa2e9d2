import type { SessionFork, SessionStore, StoredModel } from "@proj/session-store";
import type { Recorder } from "../telemetry/recorder.ts";

/** What all sessions of a gateway share. */
export interface SessionContext {
  readonly store: SessionStore;
  readonly recorder: Recorder;
  /** Longest wait of a close for requests in flight and their rows, in milliseconds. */
  readonly closeTimeoutMs: number;
  /** What the rows get beyond that, after requests were cut off, in milliseconds. */
  readonly writeTimeoutMs: number;
}

/** What storage knows of a session. */
export interface StoredState {
  readonly epoch: number | null;
  readonly closed_at: string | null;
  readonly models: readonly StoredModel[];
  readonly fork: SessionFork | null;
}
