import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceLog } from "@proj/gateway-core";
import type { GatewayConfig } from "@proj/gateway-protocol";
import { requireFreeAddress } from "@proj/program";
import { balancer, requireHaproxy } from "./balancer.ts";
import { KeptProcess } from "./kept-process.ts";

import { worker, worst } from "./worker.ts";
import { checkStorage } from "./worker-config.ts";
import { WorkerReloads } from "./worker-reloads.ts";

export interface ServeWorkersOptions {
  readonly config: GatewayConfig;
  readonly configPath: string;
  readonly workers: number;
  readonly logPath: string;
  readonly log: ServiceLog;
  readonly signal: AbortSignal;
  /** Called when all workers serve behind this URL. */
  readonly onServing: (url: string) => void;
  /** Called when the shutdown begins. */
  readonly onEnding: () => void;
}

/**
 * Serves with several gateways behind HAProxy until the signal ends it.
 * @returns the exit code
 * @throws ProgramError, UsageError it cannot serve; with the reason
 */
export async function serveWorkers(options: ServeWorkersOptions): Promise<number> {
  const { configPath, workers, logPath, log, signal } = options;
  checkStorage(options.config, workers);
  requireHaproxy();
  const { listen_host, listen_port } = options.config;
  await requireFreeAddress(listen_host, listen_port);
  const config = { ...options.config, listen_port: listen_port || (await freePort()) };
  const folder = mkdtempSync(join(tmpdir(), "gateway-workers-"));
  const numbers = Array.from({ length: workers }, (_, index) => index + 1);
  const ports = await Promise.all(
    numbers.map((number) => (listen_port === 0 ? freePort() : listen_port + number)),
  );
  const reloads = new WorkerReloads(configPath);
  const gateways = ports.map(
    (port, index) =>
      new KeptProcess(
        worker({
          ...{ number: index + 1, workers, port, configPath, logPath },
          tell: (line, isError) => reloads.tell(index + 1, line, isError),
          onServing: (child) => reloads.add(index + 1, child),
        }),
        log,
      ),
  );
  const front = new KeptProcess(await balancer({ config, ports, folder, log }), log);
  // Workers that do not serve yet obey it once they do. Without a listener it would end the process.
  const onHangUp = (): void => reloads.begin();
  process.on("SIGHUP", onHangUp);
  const codes: (number | null)[] = [];
  try {
    // HAProxy takes all servers for up when it starts, and needs two checks for one that comes later.
    const serving = Promise.all(gateways.map((each) => each.start())).then(() => front.start());
    await Promise.race([serving, aborted(signal)]);
    if (!signal.aborted) {
      options.onServing(urlOf(config));
      await aborted(signal);
    }
    options.onEnding();
  } finally {
    process.off("SIGHUP", onHangUp);
    codes.push(...(await Promise.all(gateways.map((each) => each.end()))));
    // Until then it passes on the answers in flight.
    await front.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return worst(codes);
}

const aborted = async (signal: AbortSignal): Promise<unknown> =>
  signal.aborted || once(signal, "abort");

function urlOf({ listen_host, listen_port }: GatewayConfig): string {
  const shown = /^(?:0\.0\.0\.0|::)$/.test(listen_host) ? "localhost" : listen_host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${listen_port}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
