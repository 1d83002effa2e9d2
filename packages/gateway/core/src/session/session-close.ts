import { monotonicMs } from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { markLate } from "../telemetry/late-steps.ts";
import { within } from "../waiting/within.ts";
import { beginRecord, type CloseRecord } from "./close-record.ts";
import type { RequestsInFlight } from "./requests-in-flight.ts";
import type { SessionContext } from "./session-context.ts";
import { storeClose } from "./store-close.ts";

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
      markLate(recorder, session_id);
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
