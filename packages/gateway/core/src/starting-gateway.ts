import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { fixedPaths, type GatewayConfig } from "@proj/gateway-protocol";
import { createTimeOrderedId, StoreUnavailableError, storageKinds } from "@proj/session-store";
import { GatewayError } from "./errors/gateway-error.ts";
import { createGateway, type GatewayDependencies } from "./gateway.ts";
import { replyError } from "./http/error-reply.ts";
import { CallerConnections, createHttpServer } from "./http/http-server.ts";
import { pathnameOf } from "./http/paths.ts";
import { readinessBody } from "./http/readiness.ts";
import { sendWhole } from "./http/whole-answer.ts";
import type { Gateway } from "./running-gateway.ts";

/** Time between two attempts to reach the database, in milliseconds. */
const retryMs = 1_000;
/** After this many attempts, the log is told again. */
const attemptsPerReminder = 60;

export interface StartingDependencies extends GatewayDependencies {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once, when the wait begins. */
  readonly onWaiting?: (reason: Error) => void;
}

/**
 * `createGateway`, but waits for a database that is down. Meanwhile the gateway's address answers `/healthz`,
 * says `starting` on `/readyz`, and refuses everything else with 503. The wait has no limit: a supervisor could
 * only restart the program, which would wait again.
 * @returns null if the signal ended the wait
 * @throws Error if waiting cannot help: wrong password, newer schema, address in use, SQLite
 */
export async function createGatewayOnceStorageAnswers(
  config: GatewayConfig,
  { signal, onWaiting, ...dependencies }: StartingDependencies,
): Promise<Gateway | null> {
  let server: Server | null = null;
  try {
    for (let attempt = 0; ; attempt += 1) {
      const gateway = await createGateway(config, dependencies).catch((error: unknown) => {
        if (!isWorthWaiting(config, error)) throw error;
        if (attempt === 0) onWaiting?.(error);
        if (attempt % attemptsPerReminder === 0)
          dependencies.log.warn({ err: error, attempt }, "waiting for the database");
        return null;
      });
      if (gateway !== null && signal.aborted) await gateway.close();
      if (signal.aborted) return null;
      if (gateway !== null) return gateway;
      server ??= await listen(config);
      await delay(retryMs, undefined, { signal }).catch(() => {});
    }
  } finally {
    if (server !== null) await close(server);
  }
}

function isWorthWaiting(config: GatewayConfig, error: unknown): error is StoreUnavailableError {
  if (!storageKinds[config.storage_type].mayBeAway) return false;
  return error instanceof StoreUnavailableError && !error.isMisconfigured;
}

async function listen(config: GatewayConfig): Promise<Server> {
  const server = createHttpServer(answerWhileStarting(config), {
    connections: new CallerConnections(config.max_connections),
    timeouts: { ...config.timeouts, caller_keep_alive_s: 1 },
    takesUpgrade: () => false,
  });
  server.listen(config.listen_port, config.listen_host);
  await once(server, "listening");
  return server;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function answerWhileStarting(config: GatewayConfig): RequestListener {
  return (req, res) => {
    const request_id = createTimeOrderedId();
    const sendJson = (status: number, document: object): void =>
      sendWhole(res, {
        status,
        headers: ["content-type", "application/json", "x-request-id", request_id],
        body: Buffer.from(JSON.stringify(document)),
        closes: false,
      });
    const path = pathnameOf(req.url ?? "/");
    if (path === fixedPaths.healthz) sendJson(200, { status: "ok" });
    else if (path === fixedPaths.readyz) sendJson(503, readinessBody(config, "starting", null));
    else replyError(res, starting(), request_id, []);
  };
}

const starting = (): GatewayError =>
  new GatewayError(
    "storage_unavailable",
    "The gateway is starting and waiting for its database. Try again.",
    { retryAfterMs: retryMs },
  );
