import { entityTag, hasStrongTag, hasTag } from "../answer/entity-tag.ts";
import { Problem } from "../answer/problem.ts";
import type { Context } from "./context.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** What preconditions are compared with: the headers `ETag` and `Last-Modified` of an item. */
export interface Validators {
  readonly tag: string | null;
  /** An HTTP date. */
  readonly modified: string | null;
}

const failures = {
  "if-match": "The item is not the version that 'If-Match' names.",
  "if-unmodified-since": "The item was modified after the time in 'If-Unmodified-Since'.",
  "if-none-match": "The item is a version that 'If-None-Match' names.",
  "if-modified-since": "The item was not modified after the time in 'If-Modified-Since'.",
} as const;

export type Precondition = keyof typeof failures;

/**
 * The precondition of a request that fails, tried in the order of RFC 9110, section 13.2.2; null: none.
 * @param item null: there is no such item
 */
export function failedPrecondition(
  headers: RequestHeaders,
  item: Validators | null,
): Precondition | null {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  if (match !== undefined) {
    if (item === null || !hasStrongTag(match, item.tag)) return "if-match";
  } else if (isAfter(item, headers["if-unmodified-since"]) === true) return "if-unmodified-since";
  if (noneMatch !== undefined)
    return item !== null && hasTag(noneMatch, item.tag) ? "if-none-match" : null;
  return isAfter(item, headers["if-modified-since"]) === false ? "if-modified-since" : null;
}

/**
 * Refuses an operation whose caller knows another version of the item, or assumes that there is none (RFC 9110,
 * section 13.1). Requests without preconditions pass. Call it inside the transaction that writes, or another caller
 * may write in between.
 * @param version the item's current version, as for `entityTag`; null: there is no such item
 * @param modified when the item was last modified, for `If-Unmodified-Since`. @default unknown: it passes
 * @throws Problem 412
 */
export function requireVersion(
  { headers }: Pick<Context, "headers">,
  version: string | number | null,
  modified: Date | null = null,
): void {
  const tag = version === null ? null : entityTag(version);
  const item = tag === null ? null : { tag, modified: modified?.toUTCString() ?? null };
  const failed = failedPrecondition(headers, item);
  if (failed !== null && failed !== "if-modified-since") throw preconditionFailed(failed, tag);
}

export function preconditionFailed(failed: Precondition, tag: string | null): Problem {
  const headers: Record<string, string> = tag === null ? {} : { etag: tag };
  return new Problem(412, failures[failed], { headers });
}

/** Null: one of the two times is unknown or not a date, so the precondition does not apply. */
function isAfter(item: Validators | null, asked: string | undefined): boolean | null {
  const [modified, since] = [httpDate(item?.modified), httpDate(asked)];
  return modified === null || since === null ? null : modified > since;
}

/** Each of the three forms of RFC 9110, section 5.6.7, begins with a day; only the oldest does not say GMT. */
function httpDate(text: string | null | undefined): number | null {
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text ?? "")) return null;
  const time = Date.parse(text?.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}
