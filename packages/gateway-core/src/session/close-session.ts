import { setTimeout as delay } from "node:timers/promises";
import type { SessionStore } from "@proj/session-store";
import { GatewayError } from "../gateway-error.ts";
import { markLate } from "../telemetry/late-steps.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import { within } from "../within.ts";
import type { CloseRecord, Session } from "./session.ts";

export interface CloseOptions {
  readonly reason: string | null;
  /** `drain` lets requests in flight finish; `abort` ends them at once. */
  readonly mode: "drain" | "abort";
  /** Longest wait for requests in flight and their rows, in milliseconds. */
  readonly timeoutMs: number;
  /** What the rows get beyond that, after requests were cut off. */
  readonly flushTimeoutMs: number;
}

const tellAgainMs = 1_000;
const longestTellingMs = 24 * 60 * 60 * 1_000;

const closing = new WeakMap<Session, Promise<void>>();

/**
 * Brings a session from `active` through `closing` to `closed`; it never stays in between for
 * ever. Admission ends in this very turn of the event loop. Resolves when it is closed.
 */
export function closeSession(
  session: Session,
  recorder: Recorder,
  store: SessionStore,
  options: CloseOptions,
): Promise<void> {
  let closed = closing.get(session);
  if (closed !== undefined || session.status === "closed") {
    if (options.mode === "abort" && session.status === "closing") abortRequests(session);
    return closed ?? Promise.resolve();
  }
  session.status = "closing";
  session.close = {
    reason: options.reason,
    drained: false,
    telemetry: "pending",
    lost_rows: session.lostRows,
    forced: false,
  };
  closed = finishClose(session, recorder, store, options);
  closing.set(session, closed);
  return closed;
}

async function finishClose(
  session: Session,
  recorder: Recorder,
  store: SessionStore,
  options: CloseOptions,
): Promise<void> {
  const { session_id } = session;
  const close = record(session);
  if (options.mode === "abort") abortRequests(session);
  const ended = session.drained().then(() => {
    close.drained = !close.forced;
    return recorder.drained(session_id);
  });
  if (!(await within(ended, options.timeoutMs))) {
    abortRequests(session);
    recorder.limit(session_id, Date.now() + options.flushTimeoutMs);
    await within(ended, options.flushTimeoutMs);
    await recorder.attempted(session_id);
    close.forced = true;
  }
  const told = tellOtherGateways(store, session);
  await within(told, options.flushTimeoutMs);
  session.status = "closed";
  session.closedAt = Date.now();
  close.lost_rows = session.lostRows;
  if (session.inFlight.size > 0 || recorder.hasRows(session_id)) {
    markLate(recorder, session_id);
    void ended.then(() => tellTelemetry(session, close));
  } else tellTelemetry(session, close);
}

/** Resolves when they know, be it when a storage that is out of reach is back; after a day it is left. */
async function tellOtherGateways(store: SessionStore, { session_id }: Session): Promise<void> {
  const until = Date.now() + longestTellingMs;
  while (Date.now() < until) {
    try {
      await store.closeSession(session_id);
      return;
    } catch {
      // The process may end meanwhile: a gateway that is gone has told what it could.
      await delay(tellAgainMs, undefined, { ref: false });
    }
  }
}

/** No row is on its way any more. */
function tellTelemetry({ lostRows }: Session, close: CloseRecord): void {
  close.lost_rows = lostRows;
  close.telemetry = lostRows > 0 ? "lost" : "flushed";
}

function abortRequests(session: Session): void {
  if (session.inFlight.size === 0) return;
  record(session).forced = true;
  const reason = new GatewayError(
    "session_closed",
    `Session '${session.session_id}' was closed before the answer was complete.`,
  );
  for (const cancellation of [...session.inFlight]) cancellation.cancel(reason);
}

function record(session: Session): CloseRecord {
  if (session.close === null)
    throw new Error("a session that is not closing has no record of its close");
  return session.close;
}
