import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { TradingMcpFactory } from "../create-trading-mcp.ts";

export interface McpStdioOptions {
  /** Ends serving. */
  readonly signal?: AbortSignal;
  /** @default process.stdin */
  readonly input?: Readable;
  /** Must carry nothing else. @default process.stdout */
  readonly output?: Writable;
  /** Is told of messages that cannot be read. @default nobody */
  readonly onError?: (error: Error) => void;
}

/** Serves one MCP client over standard input and output; resolves when the input has ended, or at the signal. */
export async function serveMcpStdio(
  factory: TradingMcpFactory,
  options: McpStdioOptions = {},
): Promise<void> {
  const { signal, input = process.stdin, output = process.stdout, onError: onerror } = options;
  const transport = new StdioServerTransport(input, output);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const event of ["end", "close", "error"]) input.once(event, end);
  // The client has gone.
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
