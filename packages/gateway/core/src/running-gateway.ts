import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import type { ReloadBody } from "@proj/gateway-protocol";
import { GatewayError } from "./errors/gateway-error.ts";
import type { GatewayParts } from "./http/gateway-parts.ts";
import type { ModelEndpoint } from "./http/model-endpoint.ts";
import type { LazyJobStore } from "./lazy-job-store.ts";
import type { RouteReload } from "./route-reload.ts";
import type { RouteControl } from "./routes/route-control.ts";
import { within } from "./waiting/within.ts";
import type { SocketEndpoint } from "./websocket/socket-endpoint.ts";

export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
  /** The clients' base URL, without a trailing slash. */
  readonly url: string;
}

export interface CloseReport {
  /** Rows that could not be written in time. */
  readonly lost_rows: number;
}

interface RunningParts extends GatewayParts {
  readonly reload: RouteReload;
  readonly routeControl: RouteControl;
  readonly server: Server;
  readonly sockets: SocketEndpoint;
  readonly modelEndpoint: ModelEndpoint;
  readonly jobStore: LazyJobStore;
}

/** @param server with a host and a port */
function addressOf(server: Server): GatewayAddress {
  const { address, port, family } = server.address() as AddressInfo;
  const shown = address === "0.0.0.0" || address === "::" ? "localhost" : address;
  const host = family === "IPv6" && shown === address ? `[${shown}]` : shown;
  return { host: address, port, url: `http://${host}:${port}` };
}

/**
 * Time for requests that were cut off at shutdown to settle, beyond the time for their rows, in milliseconds.
 */
const settleMs = 1_000;

/** A gateway from its first connection to its last row. */
export class Gateway {
  readonly #parts: RunningParts;
  #closed: Promise<CloseReport> | null = null;

  constructor(parts: RunningParts) {
    this.#parts = parts;
  }

  /** Begins to serve. @throws Error if it cannot listen, with the system's `code` */
  async listen(): Promise<GatewayAddress> {
    const { config, server, readiness } = this.#parts;
    server.listen(config.listen_port, config.listen_host);
    await once(server, "listening");
    readiness.started();
    return addressOf(server);
  }

  /**
   * Reads the configuration again and applies its routes; all other settings stay as they were.
   * @throws GatewayError says what is wrong with it; nothing is changed
   */
  reload(): ReloadBody {
    return this.#parts.reload.run();
  }

  /**
   * Shuts down in order: readiness is withdrawn, new requests are refused, requests in flight finish within
   * `drain_timeout_s`, and all rows are written. Later calls return the same promise.
   * @throws the first error of a part that could not be closed; all others are closed
   */
  close(): Promise<CloseReport> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<CloseReport> {
    const { config, server, registry, recorder, ...parts } = this.#parts;
    const writeMs = 1_000 * config.telemetry.write_timeout_s;
    await closeAll([
      () => this.#drain(writeMs),
      () => recorder.close(writeMs),
      // Node holds writes back until the end of the turn.
      () => turn(),
      () => void server.close(),
      () => server.closeAllConnections(),
      () => registry.dispose(),
      () => parts.routeControl.close(),
      () => parts.routes.close(),
      () => parts.requestLog.close(),
      () => parts.tracing?.close(),
      () => parts.metrics.close(),
      () => parts.jobStore.close(),
      () => parts.store.close(),
    ]);
    return { lost_rows: recorder.lostRows };
  }

  async #drain(writeMs: number): Promise<void> {
    const { config, server, readiness, modelEndpoint, sockets } = this.#parts;
    readiness.draining();
    if (!server.listening) return;
    // Not a delay of 0, which would let requests in for another turn of the event loop.
    if (config.shutdown_delay_s > 0) await delay(1_000 * config.shutdown_delay_s);
    readiness.end();
    sockets.end();
    modelEndpoint.cancelUploads();
    const drained = modelEndpoint.drained();
    if (await within(drained, 1_000 * config.drain_timeout_s)) return;
    modelEndpoint.cancelAll(
      new GatewayError("gateway_draining", "The gateway shut down before the answer was complete."),
    );
    await within(drained, writeMs + settleMs);
  }
}

/**
 * Closes the parts one after the other, the later ones even if an earlier one cannot be closed.
 * @throws the first error
 */
async function closeAll(parts: readonly (() => void | Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of parts) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
