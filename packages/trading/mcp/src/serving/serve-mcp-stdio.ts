import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { TradingMcpFactory } from "../create-trading-mcp.ts";

export interface McpStdioOptions {
  /** Stops serving. */
  readonly signal?: AbortSignal;
  /** @default process.stdin */
  readonly input?: Readable;
  /** Nothing else may write to it. @default process.stdout */
  readonly output?: Writable;
  /** Called with messages that cannot be parsed. @default none */
  readonly onError?: (error: Error) => void;
}

/** Serves one MCP client over standard input and output; resolves at the end of input or at the signal. */
export async function serveMcpStdio(
  factory: TradingMcpFactory,
  options: McpStdioOptions = {},
): Promise<void> {
  const { signal, input = process.stdin, output = process.stdout, onError: onerror } = options;
  const transport = new StdioServerTransport(input, output);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const event of ["end", "close", "error"]) input.once(event, end);
  // The client disconnected.
  output.once("error", end);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  const server = serveStdio(factory, { transport, ...(onerror === undefined ? {} : { onerror }) });
  try {
    if (!ended.signal.aborted) await once(ended.signal, "abort");
  } finally {
    await server.close();
  }
}
