import { query } from "@proj/database";
import { type SelectQueryBuilder, type SqlBool, sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { EnvironmentKey, EnvironmentPage, EnvironmentQuery } from "../../job-pages.ts";
import type { StoreTables } from "../../schema.ts";
import { endOfPage, pageLimit } from "../page.ts";
import { environmentColumns } from "../read-environment.ts";

/** A job's attempts after one of them, in the order of (simulation_id, attempt). */
export const attemptsAfter = ({
  db,
}: StoreSource): SelectQueryBuilder<StoreTables, "job_environments", object> =>
  db
    .selectFrom("job_environments")
    .where("job_id", "=", parameter<string>("job_id"))
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("simulation_id", "attempt"),
        ">",
        tuple(parameter<string>("simulation_id"), parameter<number>("attempt")),
      ),
    )
    .orderBy("simulation_id")
    .orderBy("attempt");
/** Not by the index by status: it has another order, so that a page would sort all attempts of the status. */
const isAsked = sql<SqlBool>`coalesce(cast(${parameter<string | null>("status")} as text), status) = status`;

const readSizes = query((source: StoreSource) =>
  attemptsAfter(source)
    .select(["simulation_id", "attempt"])
    .select(
      sql<number | null>`case when ${isAsked}
        then coalesce(octet_length(env_params), 0) + coalesce(octet_length(result), 0) end`.as(
        "bytes",
      ),
    )
    .limit(parameter<number>("limit")),
);
const readRows = query((source: StoreSource) =>
  attemptsAfter(source)
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("simulation_id", "attempt"),
        "<=",
        tuple(parameter<string>("last_simulation_id"), parameter<number>("last_attempt")),
      ),
    )
    .where(isAsked)
    .select(environmentColumns),
);

/** How many attempts one page examines for those of a status. */
const maxExamined = 2000;

export async function readEnvironments(
  runner: StoreRunner,
  { job_id, status, after, limit: asked }: EnvironmentQuery,
): Promise<EnvironmentPage> {
  const from = {
    job_id,
    simulation_id: after?.simulation_id ?? "",
    attempt: after?.attempt ?? 0,
    status: status ?? null,
  };
  const size = pageLimit(asked);
  const limit = status === undefined ? size + 1 : maxExamined;
  const { rows: examined } = await runner.run(readSizes, { ...from, limit });
  const sizes = examined.flatMap(({ bytes, ...key }) =>
    bytes === null ? [] : [{ ...key, bytes }],
  );
  const last = endOfPage(sizes, size);
  const next = last !== sizes.at(-1) ? last : examined.length < limit ? null : examined.at(-1);
  const next_after = next ? keyOf(next) : null;
  if (last === undefined) return { environments: [], next_after };
  const upTo = { last_simulation_id: last.simulation_id, last_attempt: last.attempt };
  const { rows: environments } = await runner.run(readRows, { ...from, ...upTo });
  return { environments, next_after };
}

const keyOf = ({ simulation_id, attempt }: EnvironmentKey): EnvironmentKey => ({
  simulation_id,
  attempt,
});
