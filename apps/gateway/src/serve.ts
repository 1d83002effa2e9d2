import { createGateway, createServiceLog, type Gateway, type ServiceLog } from "@proj/gateway-core";
import { loadConfig } from "@proj/gateway-protocol";
import { announce } from "./announce.ts";
import { startDemo } from "./demo.ts";
import { warnOfDeprecations } from "./deprecations.ts";

const defaultLogPath = "logs/gateway.log";

/** Serves until a signal ends it. @returns the exit code */
export async function serve(path: string | null, port: number | null): Promise<number> {
  const demo = path === null ? await startDemo() : null;
  const loaded = demo?.config ?? loadConfig(path ?? "");
  const config = port === null ? loaded : { ...loaded, listen_port: port };
  const logPath = process.env.SERVICE_GATEWAY_LOG_PATH || defaultLogPath;
  const log = createServiceLog({ path: logPath });
  const closing = new AbortController();
  try {
    const gateway = await createGateway(config, { log });
    const address = await listen(gateway, config.listen_host, config.listen_port);
    announce({ config, url: address.url, logPath, isDemo: demo !== null });
    log.info({ url: address.url, pid: process.pid }, "serving");
    // Beside serving, which waits for no feed.
    void warnOfDeprecations(config, log, closing.signal);
    return await untilSignal(gateway, log);
  } finally {
    closing.abort();
    await demo?.close();
    await log.close();
  }
}

async function listen(gateway: Gateway, host: string, port: number) {
  try {
    return await gateway.listen();
  } catch (error) {
    await gateway.close();
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EADDRINUSE")
      throw new Error(
        `port ${port} of ${host} is in use. Stop what listens there, or choose another with --port or listen_port.`,
        { cause: error },
      );
    throw error;
  }
}

/** The first signal closes in order; a second one ends the process at once. */
async function untilSignal(gateway: Gateway, log: ServiceLog): Promise<number> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once("SIGTERM", resolve).once("SIGINT", resolve);
  });
  const endAtOnce = (): never => process.exit(130);
  process.once("SIGTERM", endAtOnce).once("SIGINT", endAtOnce);
  console.log(`${signal}: finishing what is in flight (again: end at once) …`);
  log.info({ signal }, "shutting down");
  const { lost_rows } = await gateway.close();
  if (lost_rows === 0) console.log("All rows are written.");
  else console.error(`${lost_rows} rows could not be written and are lost.`);
  log.info({ lost_rows }, "closed");
  return lost_rows === 0 ? 0 : 1;
}
