import type { SessionSearch, StoreBrowser } from "../store-browser.ts";
import { numberOf, textOf } from "./query.ts";

/**
 * Where a search goes on: before a row, or, with a prefix, after a session without calls. Undefined: it begins; null:
 * it has ended.
 */
export type Cursor = number | string | null | undefined;

export interface FoundPage {
  readonly session_ids: readonly string[];
  readonly next: Cursor;
}

const uncalled = "uncalled:";

/** `before` for a page that begins with this attempt, if it has made no call. */
export const fromUncalled = (session_id: string): string => uncalled + session_id.slice(0, -1);

/** @throws QueryError */
export function cursorOf(query: URLSearchParams): Cursor {
  const text = textOf(query, "before");
  return text?.startsWith(uncalled) === true ? text : numberOf(query, "before");
}

/** Where a search goes on after all steps: attempts may match that made no call, unless it says something of steps. */
export function endOfSteps({ model, status_code, error, tool }: SessionSearch): Cursor {
  const ofSteps = [model, status_code, error, tool];
  return ofSteps.every((each) => each === undefined) ? uncalled : null;
}

/** @param end where to go on after all steps */
export async function findPage(
  browser: StoreBrowser,
  search: SessionSearch,
  cursor: NonNullable<Cursor> | undefined,
  limit: number,
  end: Cursor,
): Promise<FoundPage> {
  if (typeof cursor !== "string") {
    const page = await browser.findSessions({ ...search, before: cursor, limit });
    return { session_ids: page.session_ids, next: page.next_before ?? end };
  }
  const { job_id, group_id, reward, status, cause, text } = search;
  const { session_ids, next_after } = await browser.findUncalled({
    ...{ job_id, group_id, reward, status, cause, text, limit },
    after: cursor.slice(uncalled.length),
  });
  return { session_ids, next: next_after === null ? null : uncalled + next_after };
}
