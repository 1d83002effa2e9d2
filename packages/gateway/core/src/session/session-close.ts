import { setTimeout as delay } from "node:timers/promises";
import type { SessionCloseBody } from "@proj/gateway-protocol";
import { monotonicMs, type SessionStore } from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { within } from "../waiting/within.ts";
import type { RequestsInFlight } from "./requests-in-flight.ts";
import type { SessionContext } from "./session-context.ts";

/** The parts of a session that its close waits for. */
export interface ClosingSession {
  readonly session_id: string;
  readonly requests: RequestsInFlight;
  /** How many of its rows are lost so far. */
  readonly lostRows: () => number;
}

/** The close of one session: waits for its requests and rows, each for a limited time, and records how it went. */
export class SessionClose {
  readonly record: CloseRecord;
  readonly #session: ClosingSession;
  readonly #context: SessionContext;

  constructor(session: ClosingSession, context: SessionContext, reason: string | null) {
    this.#session = session;
    this.#context = context;
    this.record = beginRecord(reason, session.lostRows());
  }

  /** @param onClosed called in the same turn of the event loop in which unwritten rows are marked late */
  async run(onClosed: () => void): Promise<void> {
    const { record } = this;
    const { session_id, requests, lostRows } = this.#session;
    const { store, storesCloses, ending, recorder, closeTimeoutMs, writeTimeoutMs } = this.#context;
    const ended = requests.ended().then(() => {
      record.drained = !record.forced;
      return recorder.drained(session_id);
    });
    if (!(await within(ended, closeTimeoutMs))) {
      this.abort();
      recorder.limit(session_id, monotonicMs() + writeTimeoutMs);
      await within(ended, writeTimeoutMs);
      await recorder.attempted(session_id);
      record.forced = true;
    }
    if (storesCloses) await within(storeClose(store, session_id, ending), writeTimeoutMs);
    onClosed();
    record.lost_rows = lostRows();
    if (requests.count > 0 || recorder.hasRows(session_id)) {
      recorder.markLate(session_id);
      void ended.then(() => this.#recordLosses());
    } else this.#recordLosses();
  }

  /** Ends the requests in flight. */
  abort(): void {
    const { session_id, requests } = this.#session;
    if (requests.count === 0) return;
    this.record.forced = true;
    const message = `Session '${session_id}' was closed before the answer was complete.`;
    requests.cancelAll(new GatewayError("session_closed", message));
  }

  /** Every row has been stored or is lost. */
  #recordLosses(): void {
    const lost_rows = this.#session.lostRows();
    this.record.lost_rows = lost_rows;
    this.record.telemetry = lost_rows > 0 ? "lost" : "flushed";
  }
}

export interface CloseOptions {
  readonly reason: string | null;
  /** `drain` lets requests in flight finish; `abort` ends them at once. */
  readonly mode: "drain" | "abort";
  /** The W3C trace context of the close request; null: it has none. @default no request asked for the close */
  readonly traceparent?: string | null;
}

/** How a close proceeds; filled in as it goes. */
type CloseRecord = {
  -readonly [Member in keyof SessionCloseBody]: SessionCloseBody[Member];
};

export function beginRecord(reason: string | null, lost_rows: number): CloseRecord {
  return { reason, drained: false, telemetry: "pending", lost_rows, forced: false };
}

const againMs = 1_000;
const maxMs = 24 * 60 * 60 * 1_000;

/**
 * Stores that a session is closed. Resolves when that is stored, even if storage has to come back first; gives
 * up after a day, or when the gateway ends.
 */
export async function storeClose(
  store: Pick<SessionStore, "closeSession">,
  session_id: string,
  ending: AbortSignal,
): Promise<void> {
  const until = performance.now() + maxMs;
  while (performance.now() < until && !ending.aborted) {
    try {
      await store.closeSession(session_id);
      return;
    } catch {
      // The process may exit meanwhile: a gateway that is gone has reported what it could.
      await delay(againMs, undefined, { ref: false, signal: ending }).catch(() => {});
    }
  }
}
