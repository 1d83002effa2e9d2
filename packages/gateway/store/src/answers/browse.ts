import type { EnvironmentRow } from "../environment-row.ts";
import type { Attempt, AttemptUsage, EnvironmentKey, JobSummary } from "../job-pages.ts";
import type { Score } from "../score.ts";
import type { Neighbours, RowPage, StoreBrowser } from "../store-browser.ts";
import { numberOf, QueryError, textOf } from "./query.ts";
import { scoresOf } from "./scores.ts";
import { entryOf, type FindLive, type StoredSession } from "./stored-sessions.ts";

/** The answer to `GET /v1/jobs`. */
export interface JobsBody {
  readonly jobs: readonly JobSummary[];
}

/** The answer to `GET /v1/jobs/{job_id}/simulations`: attempts, sorted by simulation and attempt. */
export interface SimulationsBody {
  readonly simulations: readonly Simulation[];
  /** `after` for the next page; null at the end. */
  readonly next_after: string | null;
}

export type Simulation = Attempt;

/** The answer to `GET {session}/summary`. */
export interface SummaryBody {
  readonly session: StoredSession;
  readonly environment: EnvironmentRow | null;
  /** What its evaluator, judges and people said about it: at most 200, by name and author. */
  readonly scores: readonly Score[];
  /** Null: no launcher started it. */
  readonly neighbours: Neighbours | null;
}

/**
 * The answer to `GET /v1/jobs/{job_id}/usage?after=`: a page of what attempts used, sorted by simulation and
 * attempt.
 */
export interface UsageBody {
  readonly attempts: readonly AttemptUsage[];
  /** `after` for the next page; null at the end. */
  readonly next_after: string | null;
}

export async function jobs(browser: StoreBrowser): Promise<JobsBody> {
  return { jobs: await browser.readJobs() };
}

/** @throws QueryError */
export async function simulations(
  browser: StoreBrowser,
  job_id: string,
  query: URLSearchParams,
): Promise<SimulationsBody> {
  const page = { limit: numberOf(query, "limit"), after: afterOf(query) };
  const { attempts, next_after } = await browser.readAttempts({ job_id, ...page });
  return { simulations: attempts, next_after: textOfKey(next_after) };
}

/** @throws QueryError */
export async function usage(
  browser: StoreBrowser,
  job_id: string,
  query: URLSearchParams,
): Promise<UsageBody> {
  const { attempts, next_after } = await browser.readUsage({ job_id, after: afterOf(query) });
  return { attempts, next_after: textOfKey(next_after) };
}

/** Answers `GET {session}/rows?after=&limit=&payload=`: rows as they are stored. @throws QueryError */
export function rows(
  browser: StoreBrowser,
  session_id: string,
  query: URLSearchParams,
): Promise<RowPage> {
  return browser.readRows({
    session_id,
    after: numberOf(query, "after"),
    limit: numberOf(query, "limit"),
    payload: query.get("payload") === "true",
  });
}

/** Null: nothing is stored for the session. */
export async function summary(
  browser: StoreBrowser,
  session_id: string,
  findLive: FindLive,
): Promise<SummaryBody | null> {
  const found = await browser.readSummary(session_id);
  if (found === null) return null;
  const { environment } = found;
  return {
    session: entryOf(found, findLive(session_id)),
    environment,
    scores: environment === null ? [] : await scoresOf(browser, environment),
    neighbours: environment === null ? null : await browser.readNeighbours(session_id),
  };
}

const textOfKey = (key: EnvironmentKey | null): string | null =>
  key === null ? null : `${key.attempt}:${key.simulation_id}`;

function afterOf(query: URLSearchParams): EnvironmentKey | undefined {
  const after = textOf(query, "after");
  if (after === undefined) return undefined;
  const [, attempt, simulation_id] = /^(\d{1,9}):(.*)$/s.exec(after) ?? [];
  if (simulation_id === undefined)
    throw new QueryError("The query parameter 'after' is not the 'next_after' of a page.");
  return { attempt: Number(attempt), simulation_id };
}
