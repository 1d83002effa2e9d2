import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { EnvironmentStatus } from "../../environment-row.ts";
import type { EnvironmentPage, EnvironmentQuery } from "../../job-pages.ts";
import { endOfPage, pageLimit } from "../page.ts";
import { environmentColumns } from "../read-environment.ts";

const after = ({ db }: StoreSource) =>
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
const afterOfStatus = (source: StoreSource) =>
  after(source).where("status", "=", parameter<EnvironmentStatus>("status"));

const ofJob = pageQueries(after);
const ofStatus = pageQueries(afterOfStatus);

export async function readEnvironments(
  runner: StoreRunner,
  { job_id, status, after, limit }: EnvironmentQuery,
): Promise<EnvironmentPage> {
  const from = {
    job_id,
    simulation_id: after?.simulation_id ?? "",
    attempt: after?.attempt ?? 0,
  };
  return status === undefined
    ? readPage(runner, ofJob, from, pageLimit(limit))
    : readPage(runner, ofStatus, { ...from, status }, pageLimit(limit));
}

async function readPage(
  runner: StoreRunner,
  { readSizes, readRows }: ReturnType<typeof pageQueries>,
  from: Readonly<Record<string, string | number>>,
  limit: number,
): Promise<EnvironmentPage> {
  const { rows: sizes } = await runner.run(readSizes, { ...from, limit: limit + 1 });
  const last = endOfPage(sizes, limit);
  if (last === undefined) return { environments: [], next_after: null };
  const { simulation_id, attempt } = last;
  const upTo = { last_simulation_id: simulation_id, last_attempt: attempt };
  const { rows: environments } = await runner.run(readRows, { ...from, ...upTo });
  return { environments, next_after: last === sizes.at(-1) ? null : { simulation_id, attempt } };
}

function pageQueries(after: typeof afterOfStatus) {
  return {
    readSizes: query((source: StoreSource) =>
      after(source)
        .select(({ eb, fn, lit }) => {
          const sizeOf = (column: "env_params" | "result") =>
            fn.coalesce(fn<number | null>("octet_length", [column]), lit(0));
          return [
            "simulation_id",
            "attempt",
            eb(sizeOf("env_params"), "+", sizeOf("result")).as("bytes"),
          ];
        })
        .limit(parameter<number>("limit")),
    ),
    readRows: query((source: StoreSource) =>
      after(source)
        .where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple("simulation_id", "attempt"),
            "<=",
            tuple(parameter<string>("last_simulation_id"), parameter<number>("last_attempt")),
          ),
        )
        .select(environmentColumns),
    ),
  };
}
