import type { SessionCloseBody } from "@proj/gateway-protocol";
import type { EnvironmentRow, SessionFork, SessionStore, StoredModel } from "@proj/session-store";
import type { Recorder } from "../telemetry/recorder.ts";

/** What all sessions of a gateway share. */
export interface SessionContext {
  readonly store: SessionStore;
  readonly recorder: Recorder;
  /** Whether storage is told of closes: other gateways, and keys that a close ends, depend on it. */
  readonly storesCloses: boolean;
  /** Longest wait of a close for requests in flight and their rows, in milliseconds. */
  readonly closeTimeoutMs: number;
  /** What the rows get beyond that, after requests were cut off, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Told once of each session that was closed here. @param traceparent of the close */
  readonly onClosed: (session: ClosedSession, traceparent: string | null) => void;
}

/** What is told of a session that was closed here. */
export interface ClosedSession {
  readonly session_id: string;
  readonly environment: EnvironmentRow | null;
  readonly closeRecord: SessionCloseBody | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly closedAt: number | null;
}

/** What storage knows of a session. */
export interface StoredState {
  readonly epoch: number | null;
  readonly closed_at: string | null;
  /** Of the latest close, also where the session was opened again since; null: none is known. */
  readonly last_closed_at: string | null;
  readonly models: readonly StoredModel[];
  readonly fork: SessionFork | null;
}
