import { Counter, Gauge, type Registry } from "prom-client";
import type { SessionStatus } from "../session/session.ts";

export interface RouteLoad {
  readonly inFlight: number;
  readonly waiting: number;
}

/** Where the metrics read what is the case now: when they are asked for, and only then. */
export interface StateSources {
  routeLoad(model: string): RouteLoad;
  telemetryQueue(): { readonly rows: number; readonly bytes: number };
  sessions(): Readonly<Record<SessionStatus, number>>;
  bufferedBytes(): number;
  /** Since the start. */
  requestLogLinesLost(): number;
}

/** Registers the metrics of state; the function returned brings them up to date. */
export function createStateMetrics(
  registry: Registry,
  models: readonly string[],
  sources: StateSources,
): () => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const routeGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["model"] as const, registers: [registry] });

  const inFlight = routeGauge(
    "gateway_requests_in_flight",
    "Requests that hold a place on their route.",
  );
  const waiting = routeGauge("gateway_requests_waiting", "Requests that wait for a place.");
  const queueRows = gauge("gateway_telemetry_queue_rows", "Rows that are not durable yet.");
  const queueBytes = gauge("gateway_telemetry_queue_bytes", "Bytes of the rows not durable yet.");
  // One gauge for each state: none of the labels that the gateway uses means a state.
  const sessions: Record<SessionStatus, Gauge> = {
    active: gauge("gateway_sessions_active", "Sessions in memory that take requests."),
    closing: gauge("gateway_sessions_closing", "Sessions whose requests and rows are awaited."),
    closed: gauge("gateway_sessions_closed", "Closed sessions that are not cleaned yet."),
  };
  const buffered = gauge("gateway_buffered_bytes", "Bytes of bodies in memory.");
  const linesLost = new Counter({
    name: "gateway_request_log_lines_lost_total",
    help: "Lines of the request log that could not be kept until they could be written.",
    registers: [registry],
  });
  let linesLostBefore = 0;

  return () => {
    for (const model of models) {
      const load = sources.routeLoad(model);
      inFlight.set({ model }, load.inFlight);
      waiting.set({ model }, load.waiting);
    }
    const queue = sources.telemetryQueue();
    queueRows.set(queue.rows);
    queueBytes.set(queue.bytes);
    const count = sources.sessions();
    sessions.active.set(count.active);
    sessions.closing.set(count.closing);
    sessions.closed.set(count.closed);
    buffered.set(sources.bufferedBytes());
    const lost = sources.requestLogLinesLost();
    linesLost.inc(lost - linesLostBefore);
    linesLostBefore = lost;
  };
}
