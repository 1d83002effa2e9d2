import type { EnvironmentPage, EnvironmentQuery } from "../../job-store.ts";
import type { EnvironmentStatus } from "../../store.ts";
import { endOfPage, pageLimit } from "../page.ts";
import { parameter, type QuerySource, type QueryValues } from "../prepared-query.ts";
import { environmentColumns } from "../read-environment.ts";

export function environmentsReader(
  source: QuerySource,
): (query: EnvironmentQuery) => Promise<EnvironmentPage> {
  const ofJob = preparePages(source, false);
  const ofStatus = preparePages(source, true);
  return ({ job_id, status, after, limit }) => {
    const from = {
      job_id,
      simulation_id: after?.simulation_id ?? "",
      attempt: after?.attempt ?? 0,
    };
    return status === undefined
      ? readPage(ofJob, from, pageLimit(limit))
      : readPage(ofStatus, { ...from, status }, pageLimit(limit));
  };
}

async function readPage(
  { readSizes, readRows }: ReturnType<typeof preparePages>,
  from: QueryValues,
  limit: number,
): Promise<EnvironmentPage> {
  const sizes = await readSizes({ ...from, limit: limit + 1 });
  const last = endOfPage(sizes, limit);
  if (last === undefined) return { environments: [], next_after: null };
  const { simulation_id, attempt } = last;
  const environments = await readRows({
    ...from,
    last_simulation_id: simulation_id,
    last_attempt: attempt,
  });
  return { environments, next_after: last === sizes.at(-1) ? null : { simulation_id, attempt } };
}

function preparePages({ db, prepare }: QuerySource, isOfStatus: boolean) {
  const allAfter = db
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
  const after = isOfStatus
    ? allAfter.where("status", "=", parameter<EnvironmentStatus>("status"))
    : allAfter;
  const readSizes = prepare(
    after
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
  );
  const readRows = prepare(
    after
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple("simulation_id", "attempt"),
          "<=",
          tuple(parameter<string>("last_simulation_id"), parameter<number>("last_attempt")),
        ),
      )
      .select(environmentColumns),
  );
  return { readSizes, readRows };
}
