import type { SessionState } from "@proj/gateway-protocol";
import type { SpanCounts } from "@proj/opentelemetry";
import type { StorageMeasures } from "@proj/session-store";
import { Gauge, type Registry } from "prom-client";
import { createCounter } from "./series.ts";
import { createSpanMetrics } from "./span-metrics.ts";
import { createStorageMetrics } from "./storage-metrics.ts";

export interface RouteLoad {
  /** The route key. */
  readonly model: string;
  readonly inFlight: number;
  readonly waiting: number;
}

/** Where the metrics read the current state, only when they are scraped. */
export interface StateSources {
  /** All routes that have been served since the start. */
  routeLoads(): Iterable<RouteLoad>;
  telemetryQueue(): { readonly rows: number; readonly bytes: number };
  sessions(): Readonly<Record<SessionState, number>>;
  bufferedBytes(): number;
  /** Callers' connections; all but `open` counted since the start. */
  connections(): { readonly open: number; readonly accepted: number; readonly dropped: number };
  /** Counted since the start. */
  requestLogLinesLost(): number;
  /** Null if the storage is not a file. */
  storage(): Promise<StorageMeasures | null>;
  /** Null if calls are not traced. */
  spans(): SpanCounts | null;
}

/** Registers the state metrics; the returned function updates them. */
export function createStateMetrics(registry: Registry, sources: StateSources): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const routeGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["model"] as const, registers: [registry] });

  const inFlight = routeGauge(
    "gateway_requests_in_flight",
    "Requests that hold a place on their route.",
  );
  const waiting = routeGauge("gateway_requests_waiting", "Requests that wait for a place.");
  const queueRows = gauge("gateway_telemetry_queue_rows", "Rows that are not durable yet.");
  const queueBytes = gauge("gateway_telemetry_queue_bytes", "Bytes of rows not durable yet.");
  // One gauge per state: none of the gateway's labels names a state.
  const sessions: Record<SessionState, Gauge> = {
    active: gauge("gateway_sessions_active", "Sessions in memory that take requests."),
    closing: gauge(
      "gateway_sessions_closing",
      "Sessions that wait for requests and rows to close.",
    ),
    closed: gauge("gateway_sessions_closed", "Closed sessions that are not cleaned yet."),
  };
  const buffered = gauge("gateway_buffered_bytes", "Bytes of bodies in memory.");
  const connectionsOpen = gauge("gateway_connections_open", "Connections of callers.");
  const counter = (name: string, help: string) => createCounter(registry, { name, help })({});
  const connectionsAccepted = counter(
    "gateway_connections_accepted_total",
    "Connections of callers that were accepted.",
  );
  const connectionsDropped = counter(
    "gateway_connections_dropped_total",
    "Connections of callers that were closed because there were too many, with 503 or without.",
  );
  const linesLost = counter(
    "gateway_request_log_lines_lost_total",
    "Lines of the request log that were dropped because they could not be written in time.",
  );

  const updateStorage = createStorageMetrics(registry);
  const updateSpans = sources.spans() === null ? null : createSpanMetrics(registry);

  return async () => {
    const measures = await sources.storage();
    if (measures !== null) updateStorage(measures);
    for (const { model, ...load } of sources.routeLoads()) {
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
    const { open, accepted, dropped } = sources.connections();
    connectionsOpen.set(open);
    connectionsAccepted.value = accepted;
    connectionsDropped.value = dropped;
    linesLost.value = sources.requestLogLinesLost();
    const spans = sources.spans();
    if (spans !== null) updateSpans?.(spans);
  };
}
