import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { TradingMcpFactory } from "../create-trading-mcp.ts";

export interface McpHttpOptions {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** 0: any free port. @default 0 */
  readonly port?: number;
  /**
   * The token that callers must send as `Authorization: Bearer …`; null: none, allowed only on a loopback address.
   * @default null
   */
  readonly token?: string | null;
}

export interface McpHttpServer extends AsyncDisposable {
  /** URL of the endpoint, ending in `/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

const httpLimits = { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16_384 };
const maxBodyBytes = 262_144;
const maxConnections = 1000;
const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Serves MCP over Streamable HTTP.
 * @throws TypeError the address is not a loopback address and there is no token
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function serveMcpHttp(
  factory: TradingMcpFactory,
  { host = "127.0.0.1", port = 0, token = null }: McpHttpOptions = {},
): Promise<McpHttpServer> {
  const isLocal = loopback.test(host);
  if (!isLocal && token === null)
    throw new TypeError(`anybody could trade at ${host}: give a token, or listen on 127.0.0.1`);
  // A tool may take longer than HTTP clients wait for headers; a stream sends them at once and is kept alive.
  const streaming = { responseMode: "sse" } as const;
  const mcp = createMcpHandler(factory, { maxRequestBodySize: maxBodyBytes, ...streaming });
  const handle = toNodeHandler(mcp, { maxRequestBodySize: maxBodyBytes });
  // Other host names are refused on loopback, since a web page can point its own name there (DNS rebinding).
  const [isHostRight, isOriginRight] = [localhostHostValidation(), localhostOriginValidation()];
  const server = createServer(httpLimits, (request, response) => {
    if (isLocal && !(isHostRight(request, response) && isOriginRight(request, response))) return;
    if (!/^\/mcp\/?(\?|$)/.test(request.url ?? ""))
      return refuse(response, 404, "the endpoint is /mcp");
    if (token !== null && !hasToken(request, token))
      return refuse(response, 401, "send Authorization: Bearer and the token");
    // The SDK's types reject optional members that are undefined.
    void handle(request as Parameters<typeof handle>[0], response).catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    await mcp.close();
    server.closeAllConnections();
    await closed;
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}/mcp`,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = status === 401 ? { "www-authenticate": "Bearer" } : {};
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }));
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ""), hash(`Bearer ${token}`));
}
