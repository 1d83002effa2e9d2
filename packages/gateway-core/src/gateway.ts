import type { GatewayConfig } from "@proj/gateway-protocol";
import { openStore } from "@proj/session-store";
import { readAnswer } from "./answer-reading/read-answer.ts";
import type { StreamTimes } from "./answer-reading/stream-times.ts";
import { AccessControl } from "./http/access-control.ts";
import { BufferedBytes } from "./http/buffered-bytes.ts";
import { createControlApp } from "./http/control-app.ts";
import { createHttpServer } from "./http/http-server.ts";
import { ModelEndpoint, type Refusal } from "./http/model-endpoint.ts";
import { isLoopbackName, OriginCheck } from "./http/origin-check.ts";
import { Readiness } from "./http/readiness.ts";
import { createRequestListener } from "./http/request-listener.ts";
import { RouteTable } from "./http/route-table.ts";
import { createMetrics } from "./metrics/metrics.ts";
import type { BoundCall, Call } from "./pipeline/call.ts";
import { compose } from "./pipeline/compose.ts";
import { countCall } from "./pipeline/count-call.ts";
import { limitRoute } from "./pipeline/limit-route.ts";
import { logRequest } from "./pipeline/log-request.ts";
import { openSession } from "./pipeline/open-session.ts";
import { recordFailure } from "./pipeline/record-failure.ts";
import { createRouteQueues } from "./pipeline/route-queue.ts";
import { createStepBudget } from "./pipeline/step-budget.ts";
import { takeStep } from "./pipeline/take-step.ts";
import { createRequestLog } from "./request-log/request-log.ts";
import { type Gateway, RunningGateway } from "./running-gateway.ts";
import type { ServiceLog } from "./service-log/service-log.ts";
import { SessionRegistry } from "./session/session-registry.ts";
import { refusalLogEntry } from "./telemetry/call-log-entry.ts";
import { Histories } from "./telemetry/histories.ts";
import { Recorder } from "./telemetry/recorder.ts";
import { StorageProbe } from "./telemetry/storage-probe.ts";
import { createSyntheticStop } from "./upstream/synthetic-stop.ts";
import { createUpstreams } from "./upstream/upstreams.ts";

export interface GatewayDependencies {
  readonly log: ServiceLog;
  /** @default 15 s of silence before a comment, 2 s for an upstream to end, 1 s for usage */
  readonly streamTimes?: StreamTimes;
}

/**
 * Puts a gateway together; nothing listens before `listen`. What is opened here is closed by `close`.
 * @throws StoreUnavailableError, StoreSchemaError the storage cannot be used
 */
export async function createGateway(
  config: GatewayConfig,
  { log, streamTimes }: GatewayDependencies,
): Promise<Gateway> {
  const { telemetry, timeouts } = config;
  const upstreams = createUpstreams(config);
  const store = await openStore(config);
  const routes = new RouteTable(config.llm_routes);
  const queues = createRouteQueues(config.llm_routes);
  const buffered = new BufferedBytes(config.max_buffered_bytes);
  const requestLog = createRequestLog(config.request_log, (message) => log.error({}, message));

  const recorder = new Recorder(store, telemetry, {
    committed: (rows, durationMs) => metrics.telemetry.committed(rows, durationMs),
    retried: () => metrics.telemetry.retried(),
    lost: (session_id, rows, reason) => {
      metrics.telemetry.lost(rows, reason);
      const session = registry.find(session_id);
      if (session !== null) session.lostRows += rows;
      log.error({ session_id, rows, reason }, "rows are lost");
    },
    moved: (session_id, epoch) => registry.moved(session_id, epoch),
    unavailable: (err) => log.error({ err }, "storage cannot be written"),
    recovered: () => log.info({}, "storage can be written again"),
  });
  const registry = new SessionRegistry(store, recorder, {
    maxSessions: config.max_sessions,
    idleTtlMs: 1_000 * config.session_idle_ttl_s,
    closeTimeoutMs: 1_000 * config.session_close_timeout_s,
    openWithoutStorage: telemetry.mode === "best_effort",
    writeTimeoutMs: 1_000 * telemetry.write_timeout_s,
  });
  const metrics = createMetrics(routes.keys, {
    routeLoad: (model) => queues.get(model) ?? { inFlight: 0, waiting: 0 },
    telemetryQueue: () => recorder,
    sessions: () => registry.countByStatus(),
    bufferedBytes: () => buffered.used,
    requestLogLinesLost: () => requestLog.lost,
  });
  const histories = new Histories();
  const budget = createStepBudget(config.max_steps, createSyntheticStop);
  const keepsText = telemetry.capture_payload !== "none" || requestLog.enabled;

  const handleBound = compose<BoundCall>(
    [
      // Outermost, so that a line tells of all that happened, refusals by any stage included.
      ...(requestLog.enabled ? [logRequest<BoundCall>(requestLog)] : []),
      // Outside of every refusal as well, to count them.
      countCall(metrics),
      // Before the queue: who waits there counts as in flight, and drains when the session closes.
      openSession(registry, budget),
      // Outside of the queue: a place on the route is not kept while a failure is written down.
      recordFailure(),
      // Before the step is taken: a request that is given up while it waits is no step.
      limitRoute(queues, metrics),
      // Inside of the queue: numbers are given in the order of forwarding, and only to what is forwarded.
      takeStep(config, recorder, histories, budget),
      // Innermost, next to the bytes: whoever is further out learns from it what the answer was.
      readAnswer(config, keepsText, streamTimes),
    ],
    upstreams.forward,
  );
  /** The same without a session: no state, no step, no row. */
  const handleUnbound = compose<Call>(
    [
      ...(requestLog.enabled ? [logRequest<Call>(requestLog)] : []),
      countCall(metrics),
      limitRoute(queues, metrics),
      readAnswer(config, requestLog.enabled, streamTimes),
    ],
    upstreams.forward,
  );

  const access = new AccessControl(config.auth);
  const readiness = new Readiness(recorder, new StorageProbe(store, recorder));
  const isOnLoopback = isLoopbackName(config.listen_host);
  const originCheck = new OriginCheck({
    allowedOrigins: config.cors.allowed_origins,
    loopbackHostsOnly: access.isOpen && isOnLoopback,
  });
  const onInternalError = (err: Error, request_id: string): void =>
    log.error({ err: err.cause ?? err, request_id }, "a request failed inside of the gateway");
  const modelEndpoint = new ModelEndpoint({
    readiness,
    originCheck,
    access,
    buffered,
    bodyLimits: { maxBytes: config.max_body_bytes, idleMs: 1_000 * timeouts.caller_body_idle_s },
    callerStallMs: 1_000 * timeouts.caller_stall_s,
    redacts: telemetry.redact_sensitive_fields,
    routes,
    registry,
    histories,
    handleBound,
    handleUnbound,
    onRefused: (refusal: Refusal) => {
      metrics.refused(refusal.error.code);
      requestLog.write(refusalLogEntry(refusal));
    },
    onInternalError,
  });
  const controlApp = createControlApp({
    config,
    storage_id: store.storage_id,
    originCheck,
    access,
    metrics,
    readiness,
    routes,
    registry,
    recorder,
    buffered,
    store,
    onInternalError,
  });
  const { base_session_path } = config;
  const server = createHttpServer(
    createRequestListener({ base_session_path, modelEndpoint, controlApp }),
    { keepAliveMs: 1_000 * timeouts.caller_keep_alive_s },
  );
  if (access.isOpen && !isOnLoopback)
    log.warn(
      { listen_host: config.listen_host },
      "open to everybody who can reach it: auth.api_keys is not set",
    );
  return new RunningGateway({
    config,
    server,
    readiness,
    modelEndpoint,
    registry,
    recorder,
    upstreams,
    requestLog,
    metrics,
    store,
  });
}
