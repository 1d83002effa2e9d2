import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";

/** What an agent was answered so far. */
export interface Answered {
  /** Stops of a spent budget. */
  readonly stops: number;
  /** Errors of model requests. */
  readonly errors: number;
}

export interface ErrorProxy extends AsyncDisposable {
  readonly url: string;
  readonly answered: Answered;
}

/**
 * Forwards one agent's requests to the gateway, and counts what the agent is answered.
 * @param status in place of the gateway's 400; the body stays the gateway's
 */
export async function startErrorProxy(upstream: string, status: number): Promise<ErrorProxy> {
  const answered = { stops: 0, errors: 0 };
  const count = ({ statusCode = 0, headers }: IncomingMessage, method: string | undefined) => {
    if (method !== "POST") return;
    if (headers["x-gateway-stop"] !== undefined) answered.stops += 1;
    if (statusCode >= 400) answered.errors += 1;
  };
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    // Frames of a WebSocket are not counted, so agents are told to ask over HTTP.
    if (headers.upgrade !== undefined) return void outgoing.writeHead(426).end();
    const forwarded = request(`${upstream}${url}`, { method, headers }, (answer) => {
      count(answer, method);
      const { statusCode = 502 } = answer;
      outgoing.writeHead(statusCode === 400 ? status : statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    answered,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
