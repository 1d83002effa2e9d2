import type { EnvironmentRow } from "../environment-row.ts";
import type { Score, ScoreKey } from "../score.ts";
import type { StoreBrowser } from "../store-browser.ts";
import { QueryError, textOf } from "./query.ts";

/** The answer to `GET /v1/jobs/{job_id}/scores?after=`: a page of what was said about its sessions. */
export interface ScoresBody {
  readonly scores: readonly Score[];
  /** `after` for the next page; null at the end. */
  readonly next_after: string | null;
}

/** @throws QueryError */
export async function scores(
  browser: StoreBrowser,
  job_id: string,
  query: URLSearchParams,
): Promise<ScoresBody> {
  const after = keyOf(textOf(query, "after"));
  const page = await browser.readScores({ job_id, after, limit: 1000 });
  const { session_id, name, author, repetition } = page.next_after ?? {};
  const next_after =
    page.next_after === null ? null : JSON.stringify([session_id, name, author, repetition]);
  return { scores: page.scores, next_after };
}

/** How many scores of a session are shown. */
const maxShown = 200;

/** What was said about a session. Its scores begin after the empty name, and end where those of another begin. */
export async function scoresOf(
  store: Pick<StoreBrowser, "readScores">,
  { job_id, session_id }: Pick<EnvironmentRow, "job_id" | "session_id">,
): Promise<readonly Score[]> {
  const after = { session_id, name: "", author: "", repetition: 0 };
  const { scores } = await store.readScores({ job_id, after, limit: maxShown });
  return scores.filter((score) => score.session_id === session_id);
}

function keyOf(after: string | undefined): ScoreKey | undefined {
  if (after === undefined) return undefined;
  const [session_id, name, author, repetition] = parsed(after);
  if (isText(session_id) && isText(name) && isText(author) && Number.isSafeInteger(repetition))
    return { session_id, name, author, repetition: Number(repetition) };
  throw new QueryError("The query parameter 'after' is not the 'next_after' of a page.");
}

const isText = (value: unknown): value is string => typeof value === "string";

function parsed(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
