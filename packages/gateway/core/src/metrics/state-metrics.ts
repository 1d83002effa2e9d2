import type { SessionState } from "@proj/gateway-protocol";
import type { SpanCounts } from "@proj/opentelemetry";
import type { StorageMeasures } from "@proj/session-store";
import type { Registry } from "prom-client";
import { exposeValue, registerScrapedMetric } from "./series.ts";

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

/** One gauge per state: none of the gateway's labels names a state. */
const sessionHelp: Readonly<Record<SessionState, string>> = {
  active: "Sessions in memory that take requests.",
  closing: "Sessions that wait for requests and rows to close.",
  closed: "Closed sessions that are not cleaned yet.",
};

/** Registers the state metrics. Call the returned function before each scrape. */
export function createStateMetrics(registry: Registry, sources: StateSources): () => Promise<void> {
  const { gauge, counter } = exposed(registry);
  const ofRoutes = (name: string, help: string, read: (load: RouteLoad) => number): void =>
    registerScrapedMetric(registry, "gauge", { name, help }, () =>
      Array.from(sources.routeLoads(), (load) => ({
        labels: { model: load.model },
        value: read(load),
      })),
    );
  ofRoutes(
    "gateway_requests_in_flight",
    "Requests that hold a place on their route.",
    ({ inFlight }) => inFlight,
  );
  ofRoutes("gateway_requests_waiting", "Requests that wait for a place.", ({ waiting }) => waiting);
  const { telemetryQueue, connections, requestLogLinesLost, bufferedBytes } = sources;
  gauge(
    "gateway_telemetry_queue_rows",
    "Rows that are not durable yet.",
    () => telemetryQueue().rows,
  );
  gauge(
    "gateway_telemetry_queue_bytes",
    "Bytes of rows not durable yet.",
    () => telemetryQueue().bytes,
  );
  let sessions: Readonly<Record<SessionState, number>> = { active: 0, closing: 0, closed: 0 };
  for (const state of ["active", "closing", "closed"] as const)
    gauge(`gateway_sessions_${state}`, sessionHelp[state], () => sessions[state]);
  gauge("gateway_buffered_bytes", "Bytes of bodies in memory.", bufferedBytes);
  gauge("gateway_connections_open", "Connections of callers.", () => connections().open);
  counter(
    "gateway_connections_accepted_total",
    "Connections of callers that were accepted.",
    () => connections().accepted,
  );
  counter(
    "gateway_connections_dropped_total",
    "Connections of callers that were closed because there were too many, with 503 or without.",
    () => connections().dropped,
  );
  counter(
    "gateway_request_log_lines_lost_total",
    "Lines of the request log that were dropped because they could not be written in time.",
    requestLogLinesLost,
  );
  const spans = sources.spans();
  if (spans !== null) exposeSpans(registry, () => sources.spans() ?? spans);
  let measures: StorageMeasures | null = null;
  return async () => {
    sessions = sources.sessions();
    const measured = await sources.storage();
    // Never on PostgreSQL, where zeros would mean a full disk.
    if (measured === null) return;
    if (measures === null) exposeStorage(registry, () => measures ?? measured);
    measures = measured;
  };
}

type Expose = (name: string, help: string, read: () => number) => void;

const exposed = (registry: Registry): { readonly gauge: Expose; readonly counter: Expose } => ({
  gauge: (name, help, read) => exposeValue(registry, "gauge", { name, help }, read),
  counter: (name, help, read) => exposeValue(registry, "counter", { name, help }, read),
});

/** Spans on their way to a receiver. */
function exposeSpans(registry: Registry, read: () => SpanCounts): void {
  const { gauge, counter } = exposed(registry);
  gauge("gateway_spans_queued", "Spans that wait to be sent to the receiver.", () => read().queued);
  counter(
    "gateway_spans_exported_total",
    "Spans that the receiver has accepted.",
    () => read().exported,
  );
  const lost = { name: "gateway_spans_lost_total", help: "Spans that will never be sent." };
  registerScrapedMetric(registry, "counter", lost, () =>
    Object.entries(read().lost).map(([reason, value]) => ({ labels: { reason }, value })),
  );
}

/** The SQLite file, as it was measured last. */
function exposeStorage(registry: Registry, read: () => StorageMeasures): void {
  const { gauge, counter } = exposed(registry);
  gauge(
    "gateway_storage_wal_bytes",
    "Size of the WAL beside the database file.",
    () => read().wal_bytes,
  );
  gauge(
    "gateway_storage_free_bytes",
    "Free space on the disk of the database file.",
    () => read().free_bytes,
  );
  counter(
    "gateway_storage_checkpoints_total",
    "How often the WAL was moved into the database.",
    () => read().checkpoints,
  );
  counter(
    "gateway_storage_checkpoint_seconds_total",
    "Time that moving the WAL into the database took.",
    () => read().checkpoint_seconds,
  );
}
