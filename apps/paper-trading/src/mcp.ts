import { once } from "node:events";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  optional,
  ProgramError,
  portOption,
  withDefault,
} from "@proj/program";
import { connectTrading, NotConnectedError, type TradingClient } from "@proj/trading-client";
import { createTradingMcp, serveMcpHttp, serveMcpStdio } from "@proj/trading-mcp";
import { serverUrl, tokenFor } from "./server-option.ts";

const defaultPort = 8781;

/** Serves the MCP tools of a trading agent. */
export const mcp: Command = defineCommand({
  name: "mcp",
  summary: "serve MCP tools for trading agents: quotes, candles, orders, account",
  about:
    "Serves a running trading server as MCP tools over standard input and output, or with --http over Streamable HTTP. Tokens come from environment variables, so that process lists do not show them.",
  variables: {
    PAPER_TRADING_TOKEN: "a token of the trading server",
    PAPER_TRADING_MCP_TOKEN: "the bearer token that callers must send, with --http",
  },
  options: {
    url: serverUrl,
    account: optional("ID", "the only account that agents see and trade; default: all accounts"),
    http: flag("serve Streamable HTTP instead of standard input and output"),
    host: withDefault("HOST", "listen here, with --http", "127.0.0.1"),
    port: portOption(`listen here, with --http; default: ${defaultPort}`),
  },
  async run({ options: { url, account: account_id, http, host, port } }, { signal }) {
    const { PAPER_TRADING_MCP_TOKEN: own = "" } = process.env;
    const token = tokenFor(url);
    await using client = await connect(url, token, signal);
    const factory = createTradingMcp(client, { account_id });
    const onError = (error: Error): void => console.error(error.message);
    if (!http) await serveMcpStdio(factory, { signal, onError });
    else {
      await using server = await serveMcpHttp(factory, {
        ...{ host, port: port ?? defaultPort, token: own === "" ? null : own },
      });
      console.log(`mcp  ${server.url}`);
      if (!signal.aborted) await once(signal, "abort");
    }
    return exitCode.done;
  },
});

async function connect(url: string, token: string, signal: AbortSignal): Promise<TradingClient> {
  try {
    return await connectTrading({ url, token, signal });
  } catch (error) {
    if (!(error instanceof NotConnectedError)) throw error;
    const why = error.reason === "refused" ? `${url} does not accept the token` : error.message;
    throw new ProgramError(why, exitCode.failed, { cause: error });
  }
}
