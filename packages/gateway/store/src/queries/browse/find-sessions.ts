import { type Query, query } from "@proj/database";
import type { Expression, ExpressionBuilder, SqlBool } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { StoreTables } from "../../schema.ts";
import type { FoundSessions, SessionSearch } from "../../store-browser.ts";
import { like } from "./like.ts";
import { attemptConditions, valuesOf } from "./search-conditions.ts";

/** How many rows one read examines: few enough that it stays short even when payloads are searched. */
const rowsPerRead = 2000;
const defaultLimit = 50;
const maxLimit = 200;

const findLowest = query(({ db }: StoreSource) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("stored_steps")
        .select("id")
        .where("id", "<", parameter<number>("before"))
        .orderBy("id", "desc")
        .limit(rowsPerRead)
        .as("step"),
    )
    .select(({ fn }) => [fn.min("id").as("lowest"), fn.countAll().as("rows")]),
);

/**
 * Goes back from the latest row, a bounded number of rows at a time. There is no index by time, because it would cost
 * a page for each row written.
 */
export async function findSessions(
  runner: StoreRunner,
  search: SessionSearch,
): Promise<FoundSessions> {
  const { before = Number.MAX_SAFE_INTEGER, limit = defaultLimit } = search;
  const [part] = (await runner.run(findLowest, { before })).rows;
  // PostgreSQL counts in text.
  const rows = Number(part?.rows ?? 0);
  if (rows === 0) return { session_ids: [], next_before: null };
  const lowest = Number(part?.lowest);
  const { rows: found } = await runner.run(searchFor(search), {
    ...valuesOf(search),
    lowest,
    before,
  });
  const shown = found.slice(0, Math.min(Math.max(limit, 1), maxLimit));
  const last = shown.at(-1);
  const isCut = last !== undefined && shown.length < found.length;
  const isEnd = rows < rowsPerRead && !isCut;
  return {
    session_ids: shown.map(({ session_id }) => session_id),
    next_before: isEnd ? null : isCut ? Number(last.last_id) : lowest,
  };
}

interface FoundSession {
  readonly session_id: string;
  readonly last_id: number;
}

/** By the set of filters: each query is compiled once, and its values are parameters. */
const searches = new Map<string, Query<StoreSource, FoundSession>>();

function searchFor(search: SessionSearch): Query<StoreSource, FoundSession> {
  const filters = filtersOf(search);
  const known = searches.get(filters.join());
  if (known !== undefined) return known;
  const made = query(({ db }: StoreSource) =>
    db
      .selectFrom("unfolded_steps")
      .where("id", ">=", parameter<number>("lowest"))
      .where("id", "<", parameter<number>("before"))
      .where((step) => step.and(filters.map((name) => conditions[name](step))))
      .groupBy("session_id")
      .select(({ fn }) => ["session_id", fn.max("id").as("last_id")])
      .orderBy("last_id", "desc"),
  );
  searches.set(filters.join(), made);
  return made;
}

function filtersOf(search: SessionSearch): readonly (keyof typeof conditions)[] {
  const { error, reward } = search;
  const names = ["model", "job_id", "group_id", "status_code", "tool", "status", "cause"] as const;
  const plain = [...names, "text" as const].filter((name) => search[name] !== undefined);
  return [
    ...plain,
    ...(error === undefined ? [] : (["failed"] as const)),
    ...(typeof error === "string" ? (["error"] as const) : []),
    ...(reward === undefined ? [] : ([`reward${reward.operator}`] as const)),
  ];
}

type Steps = ExpressionBuilder<StoreTables, "unfolded_steps">;

const conditions = {
  model: (step: Steps) => step("model", "=", parameter<string>("model")),
  job_id: (step: Steps) => step("job_id", "=", parameter<string>("job_id")),
  group_id: (step: Steps) => step("group_id", "=", parameter<string>("group_id")),
  status_code: (step: Steps) => step("status_code", "=", parameter<number>("status_code")),
  failed: (step: Steps) => step("status_code", "<>", 200),
  error: () => like("meta_json", "error"),
  tool: (step: Steps) => step.or([like("response", "tool"), like("response", "spaced_tool")]),
  status: (step: Steps) => attempted(step, "status"),
  cause: (step: Steps) => attempted(step, "cause"),
  text: (step: Steps) =>
    step.or([
      like("session_id", "text"),
      attempted(step, "name"),
      like("messages", "json_text"),
      like("response", "json_text"),
    ]),
  "reward<": (step: Steps) => attempted(step, "reward<"),
  "reward<=": (step: Steps) => attempted(step, "reward<="),
  "reward=": (step: Steps) => attempted(step, "reward="),
  "reward>=": (step: Steps) => attempted(step, "reward>="),
  "reward>": (step: Steps) => attempted(step, "reward>"),
} satisfies Record<string, (step: Steps) => Expression<SqlBool>>;

/** Whether the session's attempt meets a condition. */
const attempted = (step: Steps, name: keyof typeof attemptConditions): Expression<SqlBool> =>
  step.exists(
    step
      .selectFrom("job_environments")
      .whereRef("job_environments.session_id", "=", "unfolded_steps.session_id")
      .where(attemptConditions[name])
      .select("job_environments.session_id"),
  );
