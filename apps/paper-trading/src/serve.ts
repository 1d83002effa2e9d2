import { once } from "node:events";
import { type PaperBroker, type PaperBrokerConfig, startPaperBroker } from "@proj/paper-broker";
import {
  type Command,
  configOption,
  defineCommand,
  exitCode,
  Interruption,
  ProgramError,
  portOption,
  requireFreeAddress,
} from "@proj/program";
import { demoConfig, loadConfig } from "./load-config.ts";

/** Serves until a signal, or until its state or its prices fail. */
export const serve: Command = defineCommand({
  name: "serve",
  summary: "serve the accounts of a configuration",
  about:
    "Serves the accounts of a configuration. Without --config there is one account with 50,000 dollars, a market that never closes and a new token, and nothing is stored.",
  options: {
    config: configOption("YAML configuration"),
    port: portOption("listen here instead of where the configuration says"),
  },
  async run({ options: { config: path, port } }, { signal }) {
    const loaded = path === null ? demoConfig() : loadConfig(path);
    const config = port === null ? loaded : { ...loaded, listen_port: port };
    const { listen_host = "127.0.0.1", listen_port = 0 } = config;
    await requireFreeAddress(listen_host, listen_port);
    const broker = await start(config);
    announce(broker, config, path === null ? (config.tokens[0] ?? null) : null);
    try {
      if (!signal.aborted) await Promise.race([once(signal, "abort"), broker.failure]);
      const name = signal.reason instanceof Interruption ? signal.reason.signal : "ended";
      console.log(`${name}: closing (again: end at once) …`);
      return exitCode.done;
    } finally {
      await broker.close();
    }
  },
});

async function start(config: PaperBrokerConfig): Promise<PaperBroker> {
  try {
    return await startPaperBroker(config, { log: (message) => console.error(message) });
  } catch (error) {
    // A configuration value that makes no sense.
    if (!(error instanceof TypeError)) throw error;
    throw new ProgramError(error.message, exitCode.usage, { cause: error });
  }
}

/** Prints what is running and what to type next. */
function announce(
  { url }: PaperBroker,
  config: PaperBrokerConfig,
  /** The token generated for this run; null: the configuration's tokens apply, and are not shown. */
  token: string | null,
): void {
  const accounts = config.accounts.map(({ account_id }) => account_id).join(", ");
  const lines = [
    `address  ${url}`,
    `page     ${url}/${token === null ? "" : `#token=${token}`}`,
    `token    ${token ?? "one of the configuration's tokens"}`,
    `account  ${accounts}`,
    `state    ${config.state_file ?? "in memory; lost when this process ends"}`,
    `bot      const client = await connectTrading({ url: "${url}", token: ${token === null ? "process.env.TOKEN" : `"${token}"`} });`,
  ];
  console.log(lines.join("\n"));
}
