import { type Query, query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { FoundAttempts, UncalledSearch } from "../../store-browser.ts";
import { like } from "./like.ts";
import { type AttemptCondition, attemptConditions, valuesOf } from "./search-conditions.ts";

/** How many attempts one read examines. */
const attemptsPerRead = 2000;
const defaultLimit = 50;

const conditions: Readonly<Record<string, AttemptCondition>> = {
  ...attemptConditions,
  job_id: ({ eb }) => eb("job_environments.job_id", "=", parameter<string>("job_id")),
  group_id: ({ eb }) => eb("job_environments.group_id", "=", parameter<string>("group_id")),
  text: (attempt) =>
    attempt.or([attemptConditions.name(attempt), like("job_environments.session_id", "text")]),
};

const findEnd = query(({ db }: StoreSource) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("job_environments")
        .select("session_id")
        .where("session_id", ">", parameter<string>("after"))
        .orderBy("session_id")
        .limit(attemptsPerRead)
        .as("attempt"),
    )
    .select(({ fn }) => [fn.max("session_id").as("last"), fn.countAll().as("attempts")]),
);

/** Attempts whose sessions have no rows: what failed before its first call, or waits for its turn. */
export async function findUncalled(
  runner: StoreRunner,
  { after = "", limit = defaultLimit, ...search }: UncalledSearch,
): Promise<FoundAttempts> {
  const [part] = (await runner.run(findEnd, { after })).rows;
  const last = part?.last ?? null;
  if (last === null) return { session_ids: [], next_after: null };
  const from = { ...valuesOf(search), after, last, limit: limit + 1 };
  const found = (await runner.run(searchFor(search), from)).rows.map((row) => row.session_id);
  const session_ids = found.slice(0, limit);
  const isEnd = Number(part?.attempts) < attemptsPerRead;
  const next_after = found.length > limit ? (session_ids.at(-1) ?? null) : isEnd ? null : last;
  return { session_ids, next_after };
}

/** By the set of filters: each query is compiled once, and its values are parameters. */
const searches = new Map<string, Query<StoreSource, { readonly session_id: string }>>();

function searchFor({ reward, ...search }: Omit<UncalledSearch, "after" | "limit">) {
  const given = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  const names = [...given, ...(reward === undefined ? [] : [`reward${reward.operator}`])];
  const known = searches.get(names.join());
  if (known !== undefined) return known;
  const asked = names.flatMap((name) => conditions[name] ?? []);
  const made = query(({ db }: StoreSource) =>
    db
      .selectFrom("job_environments")
      .select("session_id")
      .where("session_id", ">", parameter<string>("after"))
      .where("session_id", "<=", parameter<string>("last"))
      .where((attempt) => attempt.and(asked.map((condition) => condition(attempt))))
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom("stored_steps")
              .whereRef("stored_steps.session_id", "=", "job_environments.session_id")
              .select("stored_steps.session_id"),
          ),
        ),
      )
      .orderBy("session_id")
      .limit(parameter<number>("limit")),
  );
  searches.set(names.join(), made);
  return made;
}
