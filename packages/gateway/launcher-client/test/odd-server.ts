import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@proj/test-kit";

export interface Asked {
  /** Method and path with its query. */
  readonly request: string;
  readonly body: string;
  readonly authorization: string | undefined;
  /** Time of arrival by `performance.now()`. */
  readonly at: number;
}

/** A server that gives answers that no gateway of this workspace gives, or gives them at another time. */
export interface OddServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
}

export type Answer = (res: ServerResponse, asked: Asked) => unknown;

/** Each request gets the next answer; the last answer repeats. */
export async function startOddServer(
  ...answers: readonly [Answer, ...Answer[]]
): Promise<OddServer> {
  const asked: Asked[] = [];
  const server = createServer(async (req, res) => {
    const at = performance.now();
    const { authorization } = req.headers;
    const request = `${req.method} ${req.url}`;
    const received = { request, body: await text(req), authorization, at };
    asked.push(received);
    await (answers[asked.length - 1] ?? answers.at(-1))?.(res, received);
  });
  const { url, close } = await listen(server);
  return { url, asked, [Symbol.asyncDispose]: close };
}

export const json =
  (body: unknown, status: number = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers });
    res.end(JSON.stringify(body));
  };

/** A URL where nothing listens. */
export async function closedPort(): Promise<string> {
  await using server = await startOddServer(json({}));
  return server.url;
}
