import type { SessionCloseBody } from "@proj/gateway-protocol";
import type { EnvironmentRow, SessionFork, SessionStore, StoredModel } from "@proj/session-store";
import type { Recorder } from "../telemetry/recorder.ts";

/** What all sessions of a gateway share. */
export interface SessionContext {
  readonly store: SessionStore;
  readonly recorder: Recorder;
  /** Whether closes are stored: other gateways, and keys that a close ends, depend on that. */
  readonly storesCloses: boolean;
  /** Aborts when the gateway ends: from then on nothing can be stored. */
  readonly ending: AbortSignal;
  /** Longest wait of a close for requests in flight and their rows, in milliseconds. */
  readonly closeTimeoutMs: number;
  /** Extra time for rows after requests were cut off, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Called once for each session that was closed here. @param traceparent of the close */
  readonly onClosed: (session: EndedSession, traceparent: string | null) => void;
}

/** Why an open session leaves a gateway's memory: it is idle, or the gateway stops. */
export type LeaveReason = "idle" | "gateway_stopped";

/** What `onClosed` and `onLeft` learn about a session. */
export interface EndedSession {
  readonly session_id: string;
  readonly environment: EnvironmentRow | null;
  readonly closeRecord: SessionCloseBody | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; null: it is open. */
  readonly closedAt: number | null;
  /** When its last request came or ended, in milliseconds since the epoch. */
  readonly lastSeenAt: number;
}

/** What storage knows about a session. */
export interface StoredState {
  readonly epoch: number | null;
  readonly closed_at: string | null;
  /** The latest close, even if the session was opened again since; null if none is known. */
  readonly last_closed_at: string | null;
  readonly models: readonly StoredModel[];
  readonly fork: SessionFork | null;
}
