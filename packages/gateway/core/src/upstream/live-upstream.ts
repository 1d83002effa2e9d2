import { maskUrlsInText, type RouteConfig } from "@proj/gateway-protocol";
import type { Endpoint } from "@proj/model-apis";
import { createRequestHeaderRules } from "./forwarded-headers.ts";
import { parseTargetUrl } from "./target-url.ts";

export interface LiveUpstreamOptions {
  readonly signal?: AbortSignal;
  /** Per request. @default 20000 */
  readonly timeoutMs?: number;
}

/** An upstream's answer. */
export interface LiveReply {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** Null if it was not JSON. */
  readonly body: unknown;
}

/** An upstream, asked outside of any session as its route says. */
export class LiveUpstream {
  readonly name: string;
  readonly #base: URL;
  readonly #route: RouteConfig;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: LiveUpstreamOptions;

  constructor(
    baseUrl: string,
    route: RouteConfig,
    endpoint: Endpoint,
    options: LiveUpstreamOptions,
  ) {
    this.name = parseTargetUrl(baseUrl).name;
    this.#base = new URL(baseUrl);
    this.#route = route;
    const named = createRequestHeaderRules(route, endpoint)({ accept: "application/json" }, null);
    this.#headers = Object.fromEntries(
      named.flatMap((name, at) => (at % 2 === 0 ? [[name, named[at + 1] ?? ""]] : [])),
    );
    this.#options = options;
  }

  /** @throws Error the upstream cannot be reached, or does not answer in time */
  ask(path: string, body?: Readonly<Record<string, unknown>>): Promise<LiveReply> {
    return this.#fetch(`${this.name}${path}${this.#base.search}`, body);
  }

  /** As `ask`, for a path of the server itself. */
  askServer(path: string, body?: Readonly<Record<string, unknown>>): Promise<LiveReply> {
    return this.#fetch(new URL(path, this.#base), body);
  }

  async #fetch(url: string | URL, body?: Readonly<Record<string, unknown>>): Promise<LiveReply> {
    const { signal, timeoutMs = 20_000 } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    const asked =
      body === undefined
        ? { method: "GET", headers: this.#headers }
        : {
            method: "POST",
            headers: { ...this.#headers, "content-type": "application/json" },
            body: JSON.stringify({ ...body, ...this.#route.extra_body }),
          };
    const response = await fetch(url, {
      ...asked,
      redirect: "manual",
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    const bytes = await bytesOf(response);
    return { status: response.status, bytes, body: parsed(new TextDecoder().decode(bytes)) };
  }

  /** The upstream's description of an error, without the key that was sent. */
  said({ body }: LiveReply): string {
    const error = member(body, "error");
    const message = [member(error, "message"), error, member(body, "message")].find(
      (text) => typeof text === "string",
    );
    if (message === undefined) return "";
    const { api_key } = this.#route;
    const shown = api_key === null ? message : message.replaceAll(api_key, "***");
    return `: ${maskUrlsInText(shown).slice(0, 200)}`;
  }
}

/** The log probabilities of a hundred thousand tokens are a few megabytes. */
const maxAnswerBytes = 64 * 1024 * 1024;

class AnswerTooLargeError extends Error {
  override readonly message = `answers with more than ${maxAnswerBytes} bytes`;
}

/** @throws Error an answer that never ends must not fill the memory */
async function bytesOf({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the answer.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new AnswerTooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Says why asking threw. */
export function whyUnreachable(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "does not answer in time";
  if (error instanceof AnswerTooLargeError) return error.message;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = member(cause, "code");
  if (code === "ECONNREFUSED") return "cannot be reached: nothing listens there";
  if (code === "ENOTFOUND") return "cannot be reached: the host does not exist";
  return `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A member of parsed JSON; undefined if there is none. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
