import type { GatewayConfig } from "@proj/gateway-protocol";
import { ReviewQueue } from "@proj/session-store/answers";
import { type StreamTimes, streamTimes as usualTimes } from "./answer-reading/stream-times.ts";
import { BufferedBytes } from "./call/body-memory.ts";
import { Engines } from "./engine/engines.ts";
import { loadTurns } from "./engine/load-turns.ts";
import { createHandlers } from "./handlers.ts";
import { AccessControl } from "./http/access-control.ts";
import { Admission } from "./http/admission.ts";
import type { ConsolePage } from "./http/console-page.ts";
import { createControlApp } from "./http/control-app.ts";
import type { GatewayParts } from "./http/gateway-parts.ts";
import { CallerConnections, createHttpServer } from "./http/http-server.ts";
import { ModelEndpoint } from "./http/model-endpoint.ts";
import { isLoopbackName, OriginCheck } from "./http/origin-check.ts";
import { Readiness } from "./http/readiness.ts";
import { createRequestListener } from "./http/request-listener.ts";
import { SessionShares } from "./http/session-shares.ts";
import { LazyJobStore } from "./lazy-job-store.ts";
import { createMetrics } from "./metrics/metrics.ts";
import type { RouteLoad } from "./metrics/state-metrics.ts";
import { openRoutesAndStore } from "./open-routes-and-store.ts";
import { Histories } from "./recording/histories.ts";
import { Replays } from "./replay/replays.ts";
import { RequestLog } from "./request-log/request-log.ts";
import { RouteReload } from "./route-reload.ts";
import { RouteControl } from "./routes/route-control.ts";
import type { RouteTable } from "./routes/route-table.ts";
import { Gateway } from "./running-gateway.ts";
import type { ServiceLog } from "./service-log/service-log.ts";
import { registryOptions } from "./session/registry-options.ts";
import { SessionRegistry } from "./session/session-registry.ts";
import { StoredObjects } from "./session/stored-objects.ts";
import { Recorder } from "./telemetry/recorder.ts";
import { StorageProbe } from "./telemetry/storage-probe.ts";
import { openTracing } from "./tracing/open-tracing.ts";
import { FairTurns } from "./waiting/fair-turns.ts";
import { SocketEndpoint } from "./websocket/socket-endpoint.ts";

export interface GatewayDependencies {
  readonly log: ServiceLog;
  /** Reads the configuration again, for `reload`. @default a reload is refused */
  readonly readConfig?: () => GatewayConfig;
  /** Notices for the operator, shown in the console. @default none */
  readonly notices?: () => readonly string[];
  /** Served unless the configuration turns it off. @default nothing is served for people */
  readonly console?: ConsolePage;
  /** @default 15 s until a keep-alive comment, 2 s for an upstream's connection to end, 1 s for late usage */
  readonly streamTimes?: StreamTimes;
  /** How long a WebSocket may live, in milliseconds. @default an hour */
  readonly socketLifetimeMs?: number;
}

/**
 * Puts a gateway together; nothing listens before `listen`. `close` closes everything opened here.
 * @throws StoreUnavailableError, StoreSchemaError the storage cannot be used
 */
export async function createGateway(
  config: GatewayConfig,
  { log, streamTimes, readConfig, notices, console, socketLifetimeMs }: GatewayDependencies,
): Promise<Gateway> {
  const { telemetry, timeouts } = config;
  const engines = new Engines(
    (session_id, model, turns, asEngineGets) =>
      loadTurns(store, session_id, model, turns, asEngineGets),
    (session_id, model) => {
      routes.lookUp(model)?.metrics.promptMismatched();
      log.error(
        { session_id, model },
        "an engine was prompted with other token ids than it was sent",
      );
    },
  );
  await engines.open(config.llm_routes);
  const tracing = await openTracing(config.opentelemetry, log);
  const metrics = createMetrics({
    connections: () => connections,
    routeLoads: () => routeLoads(routes),
    telemetryQueue: () => recorder,
    sessions: () => registry.countByStatus(),
    bufferedBytes: () => buffered.used,
    requestLogLinesLost: () => requestLog.lost,
    storage: () => store.measure(),
    spans: () => tracing?.counts ?? null,
  });
  const { routes, store, states } = await openRoutesAndStore(config, metrics, log).catch(
    (error: unknown) => {
      metrics.close();
      throw error;
    },
  );
  const routeControl = new RouteControl(routes, store);
  const buffered = new BufferedBytes(config.max_buffered_bytes);
  const requestLog = new RequestLog(config.request_log, (message) => log.error({}, message));

  const recorder = new Recorder(store, telemetry, {
    committed: (rows, durationMs) => metrics.telemetry.committed(rows, durationMs),
    retried: () => metrics.telemetry.retried(),
    lost: (session_id, rows, reason) => {
      metrics.telemetry.lost(rows, reason);
      registry.find(session_id)?.lose(rows);
      log.error({ session_id, rows, reason }, "rows are lost");
    },
    moved: (session_id, epoch) => registry.moved(session_id, epoch),
    unavailable: (err) => log.error({ err }, "storage cannot be written"),
    recovered: () => log.info({}, "storage can be written again"),
  });
  const registry = new SessionRegistry(
    store,
    recorder,
    registryOptions(config, {
      onClosed: (session, traceparent) => {
        engines.turns.forget(session.session_id);
        tracing?.sessionClosed(session, traceparent);
      },
      onLeft: (session, reason) => tracing?.sessionLeft(session, reason),
      onMoved: (session_id) => histories.forget(session_id),
    }),
  );
  const connections = new CallerConnections(config.max_connections);
  const histories = new Histories();
  const replays = new Replays(store, registry);
  const access = new AccessControl(config.auth);
  const isOnLoopback = isLoopbackName(config.listen_host);
  const { min_free_bytes } = config.storage_config;
  const parts: GatewayParts = {
    ...{ config, log, store, routes, engines, metrics, tracing, requestLog, recorder, registry },
    ...{ histories, replays, buffered, access },
    unboundObjects: new StoredObjects(null),
    originCheck: new OriginCheck(config.cors.allowed_origins, access.isOpen && isOnLoopback),
    readiness: new Readiness(recorder, new StorageProbe(store, recorder, min_free_bytes)),
    shares: new SessionShares(config.session_key_limits, buffered),
    onInternalError: (err, request_id) =>
      log.error({ err: err.cause ?? err, request_id }, "a request failed inside the gateway"),
  };
  const modelEndpoint = new ModelEndpoint({
    ...parts,
    ...createHandlers(parts, streamTimes),
    admission: new Admission(parts),
    keepAliveMs: (streamTimes ?? usualTimes).keepAliveMs,
  });
  const reload = new RouteReload(config.llm_routes, readConfig ?? null, (llm_routes) => {
    routes.replace(llm_routes);
    routeControl.routesChanged();
  });
  const jobStore = new LazyJobStore(config);
  const controlApp = createControlApp({
    ...parts,
    ...{ routeControl, reload },
    console: (config.console && console) || null,
    agentReads: new FairTurns(),
    reviews: new ReviewQueue(jobStore.open),
    notices: notices ?? (() => []),
  });
  const { base_session_path, listen_host } = config;
  const listener = createRequestListener(base_session_path, modelEndpoint, controlApp);
  const sockets = new SocketEndpoint({ ...parts, listener, lifetimeMs: socketLifetimeMs });
  const { takes: takesUpgrade } = sockets;
  const server = createHttpServer(listener, { connections, takesUpgrade, timeouts });
  sockets.serve(server);
  if (access.isOpen && !isOnLoopback)
    log.warn({ listen_host }, "open to anyone who can reach it: auth.api_keys is not set");
  routeControl.begin(states);
  const running = { reload, routeControl, server, sockets, modelEndpoint, jobStore };
  return new Gateway({ ...parts, ...running });
}

function* routeLoads(routes: RouteTable): Generator<RouteLoad> {
  for (const { model, queue } of routes.everServed)
    yield { model, inFlight: queue.inFlight, waiting: queue.waiting };
}
