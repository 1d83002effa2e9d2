import type { Answer } from "./answer.ts";
import { RequestFailedError } from "./request-failed-error.ts";

export interface ClientOptions {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest time of a call, including the answer's body, in milliseconds. @default 30000 */
  readonly timeoutMs?: number;
  /** @default the global one */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly query?: URLSearchParams | Readonly<Record<string, string>>;
  /** Replace the client's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the client's */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Call extends CallOptions {
  readonly method: string;
  readonly url: URL;
  /** Sent as JSON; undefined: no body is sent. */
  readonly value?: unknown;
}

/** @throws RequestFailedError the answer is not a success */
export async function call(client: ClientOptions, given: Call): Promise<Answer> {
  const { method, url, value, query, signal } = given;
  const { fetch = globalThis.fetch } = client;
  const timeOut = AbortSignal.timeout(given.timeoutMs ?? client.timeoutMs ?? 30_000);
  const headers = new Headers({ accept: "application/json" });
  if (value !== undefined) headers.set("content-type", "application/json");
  for (const more of [client.headers, given.headers])
    for (const [name, text] of Object.entries(more ?? {})) headers.set(name, text);
  const target = new URL(url);
  target.search = new URLSearchParams(query).toString();
  const response = await fetch(target, {
    method,
    headers,
    signal: signal === undefined ? timeOut : AbortSignal.any([signal, timeOut]),
    ...(value !== undefined && { body: JSON.stringify(value) }),
  });
  const answer: Answer = {
    method,
    // Empty if `fetch` calls a handler in this process.
    url: response.url || target.href,
    status: response.status,
    headers: response.headers,
    body: await response.text(),
  };
  if (!response.ok) throw new RequestFailedError(answer);
  return answer;
}
