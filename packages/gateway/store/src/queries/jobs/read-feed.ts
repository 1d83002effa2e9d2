import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { FinishedGroup, JobFeedPage, JobFeedQuery } from "../../finished-groups.ts";
import { pageLimit } from "../page.ts";
import { environmentColumns } from "../read-environment.ts";

const findJob = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select("session_id")
    .where("job_id", "=", parameter<string>("job_id"))
    .limit(1),
);
const findOpen = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select("session_id")
    .where("job_id", "=", parameter<string>("job_id"))
    .where("status", "in", ["pending", "running"])
    .limit(1),
);
const readGroups = query(({ db }: StoreSource) =>
  db
    .selectFrom("finished_groups")
    .select(["position", "group_id", "simulation_id", "finished_at"])
    .where("job_id", "=", parameter<string>("job_id"))
    .where("position", ">", parameter<number>("after"))
    .orderBy("position")
    .limit(parameter<number>("limit")),
);
const readMembers = query((source: StoreSource) =>
  lastAttempts(source).where("ended.group_id", "=", parameter<string>("group_id")),
);
const readSingle = query((source: StoreSource) =>
  lastAttempts(source).where("ended.simulation_id", "=", parameter<string | null>("simulation_id")),
);

export async function readFeed(
  runner: StoreRunner,
  { job_id, after = 0, limit, include_infrastructure = false }: JobFeedQuery,
): Promise<JobFeedPage | null> {
  if ((await runner.run(findJob, { job_id })).rows.length === 0) return null;
  // Read before the groups: if the job is already over, no group can be missing.
  const isOpen = (await runner.run(findOpen, { job_id })).rows.length > 0;
  const size = pageLimit(limit);
  const { rows } = await runner.run(readGroups, { job_id, after, limit: size + 1 });
  const groups: FinishedGroup[] = [];
  for (const { position, group_id, simulation_id, finished_at } of rows.slice(0, size)) {
    const { rows: ended } =
      group_id === null
        ? await runner.run(readSingle, { job_id, simulation_id })
        : await runner.run(readMembers, { job_id, group_id });
    const environments = include_infrastructure
      ? ended
      : ended.filter(({ status }) => status !== "infrastructure");
    groups.push({ position, group_id, finished_at, environments });
  }
  return { groups, is_finished: !isOpen && rows.length <= size };
}

const ends = ["finished", "failed", "infrastructure"] as const;

/** For each simulation the last attempt that ended, except by an interruption. */
function lastAttempts({ db }: StoreSource) {
  return db
    .selectFrom("job_environments as ended")
    .select(environmentColumns.map((name) => `ended.${name}` as const))
    .where("ended.job_id", "=", parameter<string>("job_id"))
    .where("ended.status", "in", ends)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("job_environments as later")
            .select("later.session_id")
            .whereRef("later.job_id", "=", "ended.job_id")
            .whereRef("later.simulation_id", "=", "ended.simulation_id")
            .whereRef("later.attempt", ">", "ended.attempt")
            .where("later.status", "in", ends),
        ),
      ),
    )
    .orderBy("ended.simulation_id");
}
