import { type PaperBroker, type PaperBrokerConfig, startPaperBroker } from "@proj/paper-broker";
import { announce } from "./announce.ts";
import { demoConfig, loadConfig } from "./load-config.ts";

/** Serves until a signal ends it, or its state or its prices fail. @returns the exit code */
export async function serve(path: string | null, port: number | null): Promise<number> {
  const loaded = path === null ? demoConfig() : loadConfig(path);
  const config = port === null ? loaded : { ...loaded, listen_port: port };
  const broker = await start(config);
  // Signals are waited for before anything is said, so that whoever reads it may send one.
  const ended = Promise.race([untilSignal(), broker.failure]);
  announce(broker, config, path === null ? (config.tokens[0] ?? null) : null);
  try {
    const signal = await ended;
    console.log(`${signal}: closing (again: end at once) …`);
    return 0;
  } finally {
    await broker.close();
  }
}

async function start(config: PaperBrokerConfig): Promise<PaperBroker> {
  try {
    return await startPaperBroker(config, { log: (message) => console.error(message) });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EADDRINUSE") throw error;
    throw new Error(
      `port ${config.listen_port} is in use. Stop what listens there, or choose another with --port or listen_port.`,
      { cause: error },
    );
  }
}

/** The first signal closes in order; a second one ends the process at once. */
async function untilSignal(): Promise<NodeJS.Signals> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once("SIGTERM", resolve).once("SIGINT", resolve);
  });
  const endAtOnce = (): never => process.exit(130);
  process.once("SIGTERM", endAtOnce).once("SIGINT", endAtOnce);
  return signal;
}
