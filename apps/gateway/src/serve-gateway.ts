import { once } from "node:events";
import { consolePage } from "@proj/console";
import {
  createGatewayOnceStorageAnswers,
  createServiceLog,
  type Gateway,
  type ServiceLog,
} from "@proj/gateway-core";
import { type GatewayConfig, loadConfig, questionableSettings } from "@proj/gateway-protocol";
import {
  type Context,
  exitCode,
  Interruption,
  requireFreeAddress,
  UsageError,
} from "@proj/program";
import { announce } from "./announce.ts";
import { startDemo } from "./demo.ts";
import { warnOfDeprecations } from "./deprecations.ts";
import { Reloads } from "./reloads.ts";
import { keepRetention } from "./retention.ts";
import { serveWorkers } from "./workers/serve-workers.ts";
import { asWorker } from "./workers/worker.ts";

export interface ServeOptions {
  readonly config: string | null;
  readonly port: number | null;
  readonly workers: number | null;
  /** The service log's file. */
  readonly logPath: string;
}

export async function serveGateway(
  { config: path, port, workers, logPath }: ServeOptions,
  context: Context,
): Promise<number> {
  const worker = asWorker(context.signal);
  const signal = AbortSignal.any([context.signal, ...(worker ? [worker.orphaned] : [])]);
  if (workers !== null && workers > 1)
    return serveSeveral({ path, port, workers, logPath, signal });
  const demo = path === null ? await startDemo() : null;
  const readConfig = (): GatewayConfig => {
    const read = loadConfig(path ?? "");
    return worker === null ? read : worker.share(read);
  };
  const loaded = demo?.config ?? readConfig();
  const config = port === null ? loaded : { ...loaded, listen_port: port };
  const log = createServiceLog({ path: logPath });
  const closing = new AbortController();
  let pruning: Promise<void> | null = null;
  const notices: string[] = [...questionableSettings(config)];
  const reloads = new Reloads("SIGHUP", log);
  try {
    await requireFreeAddress(config.listen_host, config.listen_port);
    const gateway = await createGatewayOnceStorageAnswers(config, {
      log,
      signal,
      console: consolePage,
      notices: () => notices,
      ...(path === null ? {} : { readConfig }),
      onWaiting: ({ message }) => console.error(`Waiting for the database. ${message}`),
    });
    if (gateway === null) return exitCode.done;
    const { url } = await listen(gateway);
    reloads.begin(gateway);
    log.info({ url, pid: process.pid }, "serving");
    worker?.serving();
    if (worker === null) {
      for (const notice of notices) console.error(`warning  ${notice}`);
      announce({ config, url, logPath, isDemo: demo !== null });
      // Not awaited: serving does not wait for a feed.
      void warnOfDeprecations(config, log, (message) => notices.push(message), closing.signal);
      pruning = keepRetention(config, log, closing.signal);
    }
    if (!signal.aborted) await once(signal, "abort");
    return await close(gateway, log, signal.reason);
  } finally {
    closing.abort();
    await pruning;
    reloads.end();
    await demo?.close();
    await log.close();
  }
}

interface SeveralOptions {
  readonly path: string | null;
  readonly port: number | null;
  readonly workers: number;
  readonly logPath: string;
  readonly signal: AbortSignal;
}

async function serveSeveral({
  path,
  port,
  workers,
  logPath,
  signal,
}: SeveralOptions): Promise<number> {
  if (path === null) throw new UsageError("--workers needs --config FILE");
  const loaded = loadConfig(path);
  const config = port === null ? loaded : { ...loaded, listen_port: port };
  const log = createServiceLog({ path: logPath });
  const closing = new AbortController();
  let pruning: Promise<void> | null = null;
  try {
    const code = await serveWorkers({
      ...{ config, configPath: path, workers, logPath, log, signal },
      onServing: (url) => {
        for (const notice of questionableSettings(config)) console.error(`warning  ${notice}`);
        announce({ config, url, logPath, isDemo: false });
        log.info({ url, pid: process.pid, workers }, "serving");
        void warnOfDeprecations(config, log, () => {}, closing.signal);
        pruning = keepRetention(config, log, closing.signal);
      },
      onEnding: () => tellEnding(log, signal.reason),
    });
    if (code === exitCode.done) console.log("All rows are written.");
    log.info({ code }, "closed");
    return code;
  } finally {
    closing.abort();
    await pruning;
    await log.close();
  }
}

async function listen(gateway: Gateway) {
  try {
    return await gateway.listen();
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

async function close(gateway: Gateway, log: ServiceLog, reason: unknown): Promise<number> {
  tellEnding(log, reason);
  const { lost_rows } = await gateway.close();
  return tellEnd(log, lost_rows);
}

function tellEnding(log: ServiceLog, reason: unknown): void {
  const signal = reason instanceof Interruption ? reason.signal : String(reason);
  console.log(`${signal}: finishing what is in flight (again: end at once) …`);
  log.info({ signal }, "shutting down");
}

/** @returns the exit code */
function tellEnd(log: ServiceLog, lost_rows: number): number {
  if (lost_rows === 0) console.log("All rows are written.");
  else console.error(`${lost_rows} rows could not be written and are lost.`);
  log.info({ lost_rows }, "closed");
  return lost_rows === 0 ? exitCode.done : exitCode.no;
}
