import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@proj/test-kit";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Identifies the connection. */
  readonly port: number | undefined;
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

type Answer = (res: ServerResponse, received: Received) => void;

/** Answers each request with the next of the answers, and all later ones with the last. */
export async function serve(...answers: readonly [Answer, ...Answer[]]): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    const { method = "", url: path = "", headers } = req;
    const request = { method, path, headers, body: await text(req), port: req.socket.remotePort };
    const answer = answers[received.length] ?? answers.at(-1);
    received.push(request);
    answer?.(res, request);
  });
  const { url, close } = await listen(server);
  return { url, received, [Symbol.asyncDispose]: close };
}

export const json =
  (body: unknown, status: number = 200, headers: Record<string, string> = {}): Answer =>
  (res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers });
    res.end(JSON.stringify(body));
  };

export const cut: Answer = (res) => res.destroy();

/** A URL without a listener. */
export async function closedPort(): Promise<string> {
  await using server = await serve(cut);
  return server.url;
}
