import { describeCause, FetchError } from "./fetch-error.ts";
import { readText } from "./read-text.ts";

export interface FetchOptions {
  /** Validators of the last answer; the server may then answer that nothing has changed. */
  readonly validators?: Validators | null;
  /** Hosts (with the port unless it is the default) that redirects may lead to, besides the first one; null: any. @default null */
  readonly allowedHosts?: readonly string[] | null;
  /** Milliseconds for the whole answer, including redirects. @default 30000 */
  readonly timeoutMs?: number;
  /** Largest body, decompressed. @default 16 MiB */
  readonly maxBytes?: number;
  readonly accept?: string;
  readonly userAgent?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Validators {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

export interface FetchedText extends Validators {
  readonly text: string;
}

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses that are worth a retry, besides 5xx. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Fetches a text within limits of time and size.
 * @returns null: it has not changed since the answer with these validators
 * @throws FetchError; the signal's reason if it was aborted
 */
export async function fetchText(url: string, options: FetchOptions): Promise<FetchedText | null> {
  const { timeoutMs = 30_000, maxBytes = 16 * 1024 * 1024, signal } = options;
  const late = AbortSignal.timeout(timeoutMs);
  const ended = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    const response = await followRedirects(url, options, ended);
    const { status, headers } = response;
    const { etag = null, last_modified = null } = options.validators ?? {};
    // A 304 to an unconditional request means nothing.
    if (status === 304 && (etag !== null || last_modified !== null)) return null;
    if (status !== 200) {
      await response.body?.cancel();
      throw new FetchError(`${url} answered with status ${status}`, {
        isPassing: status >= 500 || passing.has(status),
        retryAfterMs: retryAfterMs(headers.get("retry-after")),
      });
    }
    const text = await readText(response, url, maxBytes);
    return {
      text,
      etag: headers.get("etag"),
      last_modified: headers.get("last-modified"),
    };
  } catch (error) {
    if (error instanceof FetchError) throw error;
    signal?.throwIfAborted();
    const reason = late.aborted
      ? `no complete answer within ${timeoutMs} ms`
      : describeCause(error);
    throw new FetchError(`${url} could not be read: ${reason}`, { isPassing: true, cause: error });
  }
}

async function followRedirects(
  start: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Response> {
  const headers = requestHeaders(options);
  const first = new URL(start);
  let url = first;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    if (!redirects.has(response.status)) return response;
    await response.body?.cancel();
    url = redirectTarget(response.headers.get("location"), url);
    checkTarget(url, first, options.allowedHosts ?? null);
  }
  throw new FetchError(`${start} redirects more than ${maxRedirects} times`);
}

function requestHeaders(options: FetchOptions): Headers {
  const headers = new Headers({ accept: options.accept ?? "*/*" });
  if (options.userAgent !== undefined) headers.set("user-agent", options.userAgent);
  const { etag = null, last_modified = null } = options.validators ?? {};
  if (etag !== null) headers.set("if-none-match", etag);
  if (last_modified !== null) headers.set("if-modified-since", last_modified);
  return headers;
}

function redirectTarget(location: string | null, from: URL): URL {
  const target = URL.parse(location ?? "", from);
  if (location !== null && target !== null) return target;
  throw new FetchError(`${from.href} redirects to an invalid URL`);
}

function checkTarget(url: URL, first: URL, allowedHosts: readonly string[] | null): void {
  const isKept = url.protocol === first.protocol || url.protocol === "https:";
  const isAllowed =
    allowedHosts === null || url.host === first.host || allowedHosts.includes(url.host);
  if (isKept && isAllowed) return;
  throw new FetchError(`${first.href} redirects to ${url.origin}, which is not an allowed host`);
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
