import type { RewardBound, SessionSearch, SessionSummary, StoreBrowser } from "../store-browser.ts";
import { cursorOf, endOfSteps, type FoundPage, findPage } from "./find-page.ts";
import { lastWords, oneLine } from "./last-words.ts";
import { cut, numberOf, QueryError, textOf } from "./query.ts";

/**
 * The answer to `GET {base_session_path}?stored=true`: sessions by their latest step, the latest first. Of a search that
 * says nothing of steps, attempts without any come last.
 */
export interface StoredSessionsBody {
  readonly sessions: readonly StoredSession[];
  /** `before` for the next page, which may be empty and still have a next one; null at the end. */
  readonly next_before: number | string | null;
}

export interface StoredSession
  extends Pick<
    SessionSummary,
    | "session_id"
    | "models"
    | "calls"
    | "counted_calls"
    | "errors"
    | "prompt_tokens"
    | "completion_tokens"
    | "cost_nano_usd"
    | "first_at"
    | "last_at"
  > {
  readonly last_status_code: number;
  readonly last_words: string;
  readonly job_id: string | null;
  readonly simulation_id: string | null;
  readonly attempt: number | null;
  readonly group_id: string | null;
  readonly env_name: string | null;
  readonly reward: number | null;
  /** The status of the attempt; null: no launcher started it. */
  readonly environment_status: string | null;
  /** Null: it is not in the memory of the gateway that answers. */
  readonly live: LiveState | null;
}

export interface LiveState {
  readonly status: "active" | "closing" | "closed";
  readonly in_flight: number;
  /** Negative: no budget. */
  readonly max_steps: number;
}

export type FindLive = (session_id: string) => LiveState | null;

/** A session in memory of which no row may be stored yet: its first calls are still running. */
export interface BegunSession {
  readonly session_id: string;
  readonly models: readonly string[];
  readonly created_at: string;
  readonly live: LiveState;
}

/** How many reads one answer may take: a search that finds little must let others through. */
const maxReads = 20;

/**
 * @param begun sessions that may not be stored yet; without a search they come first
 * @throws QueryError
 */
export async function storedSessions(
  browser: StoreBrowser,
  query: URLSearchParams,
  findLive: FindLive,
  begun: readonly BegunSession[] = [],
): Promise<StoredSessionsBody> {
  const search = searchOf(query);
  const limit = Math.min(Math.max(numberOf(query, "limit") ?? 50, 1), 200);
  const status = liveStates.find((state) => state === textOf(query, "status"));
  const found = new Map<string, StoredSession>();
  const isSearch =
    search.status !== undefined ||
    [...query.keys()].some((name) => !["stored", "limit", "status"].includes(name));
  for (const session of isSearch ? [] : begun) {
    if (status !== undefined && session.live.status !== status) continue;
    const summary = await browser.readSummary(session.session_id);
    if (summary === null) found.set(session.session_id, begunEntry(session));
    else if (summary.calls === 0) found.set(session.session_id, entryOf(summary, session.live));
  }
  const end = isSearch && status === undefined ? endOfSteps(search) : null;
  let next = cursorOf(query);
  for (let reads = 0; reads < maxReads && next !== null && found.size < limit; reads += 1) {
    const page: FoundPage = await findPage(browser, search, next, limit - found.size, end);
    next = page.next;
    for (const session_id of page.session_ids) {
      const live = findLive(session_id);
      if (found.has(session_id) || (status !== undefined && live?.status !== status)) continue;
      const summary = await browser.readSummary(session_id);
      if (summary !== null) found.set(session_id, entryOf(summary, live));
    }
  }
  return { sessions: [...found.values()], next_before: next ?? null };
}

const begunEntry = ({ session_id, models, created_at, live }: BegunSession): StoredSession => ({
  ...{ session_id, models: [...models], calls: 0, counted_calls: 0, errors: 0 },
  ...{ prompt_tokens: 0, completion_tokens: 0, cost_nano_usd: 0 },
  ...{ first_at: created_at, last_at: created_at, last_status_code: 200, last_words: "" },
  ...{ job_id: null, simulation_id: null, attempt: null, group_id: null, env_name: null },
  ...{ reward: null, environment_status: null, live },
});

export function entryOf(summary: SessionSummary, live: LiveState | null): StoredSession {
  const { environment, last_step, ...counts } = summary;
  return {
    ...counts,
    last_status_code: last_step?.status_code ?? 200,
    last_words: last_step === null ? oneLine(environment?.error ?? "") : lastWords(last_step),
    job_id: environment?.job_id ?? null,
    simulation_id: environment?.simulation_id ?? null,
    attempt: environment?.attempt ?? null,
    group_id: environment?.group_id ?? null,
    env_name: environment?.env_name ?? null,
    reward: environment?.reward ?? null,
    environment_status: environment?.status ?? null,
    live,
  };
}

const liveStates = ["active", "closing", "closed"] as const;
const attemptStates = [
  "pending",
  "running",
  "finished",
  "failed",
  "infrastructure",
  "interrupted",
] as const;

/** A session's state in the gateway's memory, or that of its attempt. @throws QueryError */
function attemptState(query: URLSearchParams): (typeof attemptStates)[number] | undefined {
  const text = textOf(query, "status");
  const known = attemptStates.find((state) => state === text);
  if (text === undefined || known !== undefined || liveStates.some((state) => state === text))
    return known;
  throw new QueryError(
    `The query parameter 'status' must be one of ${[...liveStates, ...attemptStates].join(", ")}, not '${cut(text)}'.`,
  );
}

function searchOf(query: URLSearchParams): SessionSearch {
  const error = textOf(query, "error");
  return {
    model: textOf(query, "model"),
    job_id: textOf(query, "job_id"),
    group_id: textOf(query, "group_id"),
    status_code: numberOf(query, "status_code"),
    error: error === "*" ? true : error,
    tool: textOf(query, "tool"),
    reward: rewardOf(textOf(query, "reward")),
    status: attemptState(query),
    cause: textOf(query, "cause"),
    text: textOf(query, "text"),
  };
}

function rewardOf(text: string | undefined): RewardBound | undefined {
  if (text === undefined) return undefined;
  const [, operator = "=", number = ""] =
    /^(<=|>=|<|>|=)?(-?\d{1,15}(?:\.\d{1,15})?)$/.exec(text) ?? [];
  const known = (["<", "<=", "=", ">=", ">"] as const).find((each) => each === operator);
  if (number !== "" && known !== undefined) return { operator: known, value: Number(number) };
  throw new QueryError(
    `The query parameter 'reward' must be a number, or a bound such as '<1', not '${cut(text)}'.`,
  );
}
