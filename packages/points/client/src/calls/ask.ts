import { ApiError, type Fields, HttpError, InvalidAnswerError } from "@proj/http-client";
import { FallbackError } from "../errors/fallback-error.ts";
import type { EtagCache } from "./etag-cache.ts";
import type { Service } from "./service.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For one attempt, in milliseconds; 0: no limit. @default the client's `timeoutMs` */
  readonly timeoutMs?: number | undefined;
}

export interface Question<T> {
  readonly of: "points" | "prices";
  /** Follows the prefix for a points path, else the base URL. */
  readonly path: string;
  readonly query?: Fields | undefined;
  /** Null: do not cache the answer. */
  readonly cache: EtagCache | null;
  /** @throws TypeError the answer does not have the expected form */
  readonly read: (body: unknown, headers: Readonly<Record<string, string>>) => T;
}

/**
 * Asks the first service and, if it fails, the second. A refusal (400, 404, 410 …) is not a failure: the other
 * service would refuse too.
 * @throws HttpError, FallbackError, or the signal's reason
 */
export async function ask<T>(
  [first, second]: readonly [Service, Service | null],
  question: Question<T>,
  options: CallOptions = {},
): Promise<T> {
  try {
    return await askOne(first, question, options);
  } catch (error) {
    if (second === null || !isFailure(error)) throw error;
    return askOne(second, question, options).catch((other: unknown) => {
      throw isFailure(other) ? new FallbackError([error, other]) : other;
    });
  }
}

async function askOne<T>(
  service: Service,
  { of, path, query, cache, read }: Question<T>,
  options: CallOptions,
): Promise<T> {
  const http = service[of];
  const fullPath = of === "points" ? service.prefix + path : path;
  const key = `${http.baseUrl}${fullPath}?${JSON.stringify(query ?? {})}`;
  // Held here, because it may drop out of the cache before the answer arrives.
  const known = cache?.get(key) ?? null;
  const headers = known?.headers.etag && { "if-none-match": known.headers.etag };
  const answer = await http.request("GET", fullPath, {
    ...options,
    query,
    ...(headers ? { headers } : {}),
  });
  // Headers of the 304 replace the stored ones, such as the snapshot (RFC 9111, section 3.2).
  const current =
    answer.status === 304 && known !== null
      ? { ...known, headers: { ...known.headers, ...answer.headers } }
      : answer;
  try {
    const value = read(current.body, current.headers);
    cache?.keep(key, current);
    return value;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const asked = { method: "GET", url: shownUrl(http.baseUrl + fullPath) };
    throw new InvalidAnswerError(asked, `sent an invalid answer: ${why}`, error);
  }
}

function isFailure(error: unknown): error is HttpError {
  return error instanceof HttpError && !(error instanceof ApiError && !error.isRetryable);
}

/** The URL for errors, without credentials. */
export function shownUrl(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}
