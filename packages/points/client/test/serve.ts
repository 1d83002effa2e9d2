import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { listen } from "@proj/test-kit";

export interface Received {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** The requested paths. */
  readonly paths: readonly string[];
}

export type Answer = (response: ServerResponse, received: Received) => void;

/** A service with the given answers. */
export async function serve(answer: Answer): Promise<TestService> {
  const received: Received[] = [];
  const server = createServer(({ method = "", url: path = "", headers }, response) => {
    const request = { method, path, headers };
    received.push(request);
    answer(response, request);
  });
  const { url, close } = await listen(server);
  return {
    url,
    received,
    get paths() {
      return received.map(({ path }) => path);
    },
    [Symbol.asyncDispose]: close,
  };
}

export const json =
  (body: unknown, headers: Record<string, string> = {}, status: number = 200): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

export const problem = (status: number, detail: string): Answer =>
  json({ status, detail }, { "content-type": "application/problem+json" }, status);

export const cut: Answer = (response) => void response.destroy();

/** Keeps tests of failures fast. */
export const quickly = { retry: { retries: 1, minDelayMs: 1, maxDelayMs: 1 } } as const;
