import { once } from "node:events";
import {
  createGatewayOnceStorageAnswers,
  createServiceLog,
  type Gateway,
  type ServiceLog,
} from "@proj/gateway-core";
import { type GatewayConfig, loadConfig, questionableSettings } from "@proj/gateway-protocol";
import {
  type Command,
  configOption,
  defineCommand,
  exitCode,
  Interruption,
  portOption,
  requireFreeAddress,
  UsageError,
  wholeNumber,
} from "@proj/program";
import { announce } from "./announce.ts";
import { startDemo } from "./demo.ts";
import { warnOfDeprecations } from "./deprecations.ts";
import { Reloads } from "./reloads.ts";
import { serveWorkers } from "./workers/serve-workers.ts";
import { asWorker } from "./workers/worker.ts";

const defaultLogPath = "logs/gateway.log";

/** Serves until a signal ends it. */
export const serve: Command = defineCommand({
  name: "serve",
  summary: "serve; without --config, a built-in model named 'demo'",
  no: "rows could not be written and are lost",
  options: {
    config: configOption("YAML configuration"),
    port: portOption("listen on this port in place of the configuration's"),
    workers: wholeNumber("N", "gateways on this machine behind one address; needs PostgreSQL", {
      least: 1,
      most: 64,
    }),
  },
  variables: {
    SERVICE_GATEWAY_LOG_PATH: `the service log's file (default: ${defaultLogPath})`,
  },
  async run({ options: { config: path, port, workers } }, context) {
    const worker = asWorker(context.signal);
    const signal = AbortSignal.any([context.signal, ...(worker ? [worker.orphaned] : [])]);
    if (workers !== null && workers > 1) return serveSeveral({ path, port, workers, signal });
    const demo = path === null ? await startDemo() : null;
    const readConfig = (): GatewayConfig => {
      const read = loadConfig(path ?? "");
      return worker === null ? read : worker.share(read);
    };
    const loaded = demo?.config ?? readConfig();
    const config = port === null ? loaded : { ...loaded, listen_port: port };
    const logPath = process.env.SERVICE_GATEWAY_LOG_PATH || defaultLogPath;
    const log = createServiceLog({ path: logPath });
    const closing = new AbortController();
    const notices: string[] = [...questionableSettings(config)];
    const reloads = new Reloads("SIGHUP", log);
    try {
      await requireFreeAddress(config.listen_host, config.listen_port);
      const gateway = await createGatewayOnceStorageAnswers(config, {
        log,
        signal,
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
      }
      if (!signal.aborted) await once(signal, "abort");
      return await close(gateway, log, signal.reason);
    } finally {
      closing.abort();
      reloads.end();
      await demo?.close();
      await log.close();
    }
  },
});

interface SeveralOptions {
  readonly path: string | null;
  readonly port: number | null;
  readonly workers: number;
  readonly signal: AbortSignal;
}

async function serveSeveral({ path, port, workers, signal }: SeveralOptions): Promise<number> {
  if (path === null) throw new UsageError("--workers needs --config FILE");
  const loaded = loadConfig(path);
  const config = port === null ? loaded : { ...loaded, listen_port: port };
  const logPath = process.env.SERVICE_GATEWAY_LOG_PATH || defaultLogPath;
  const log = createServiceLog({ path: logPath });
  const closing = new AbortController();
  try {
    const code = await serveWorkers({
      ...{ config, configPath: path, workers, logPath, log, signal },
      onServing: (url) => {
        for (const notice of questionableSettings(config)) console.error(`warning  ${notice}`);
        announce({ config, url, logPath, isDemo: false });
        log.info({ url, pid: process.pid, workers }, "serving");
        void warnOfDeprecations(config, log, () => {}, closing.signal);
      },
      onEnding: () => tellEnding(log, signal.reason),
    });
    if (code === exitCode.done) console.log("All rows are written.");
    log.info({ code }, "closed");
    return code;
  } finally {
    closing.abort();
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
