import {
  countAttempts,
  countNames,
  followsInfrastructure,
  type JobCount,
  shareOf,
} from "../job-counts.ts";

const columns = ["job_id", "created_at", "finished_at", ...countNames].join(", ");

const add = (select: string): string => `
  insert into job_counts as kept (${columns}) ${select} order by job_id
  on conflict (job_id) do update set
    created_at = least(kept.created_at, excluded.created_at),
    finished_at = greatest(kept.finished_at, excluded.finished_at),
    ${countNames.map((name) => `${name} = kept.${name} + excluded.${name}`).join(",\n    ")};`;

/** Of attempts that one statement added; one of them may follow another. */
const added = (name: JobCount): string => {
  const share = `sum(${shareOf(name, "added")})`;
  const isOlder =
    "not exists (select 1 from added as also where also.session_id = earlier.session_id)";
  return name === "infrastructure"
    ? `${share} - sum(${followsInfrastructure("added", isOlder)})`
    : share;
};

/** Without a join, which PostgreSQL would plan for the few rows of the first statement. */
const changed = countNames.map((name) => `sum(sign * ${shareOf(name, "changed")})`).join(", ");
const unchanged = countNames.map(() => "0").join(", ");

const trigger = (name: string, event: string, tables: string, body: string): string[] => [
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger ${name} after ${event} on job_environments referencing ${tables}
    for each statement execute function ${name}()`,
];

/**
 * For each statement: the row of a job is locked from there to the end of the transaction, after those of its attempts,
 * and a heartbeat does not lock it. Deleting counts what is left.
 */
export const keptCounts: readonly string[] = [
  ...trigger(
    "job_counts_of_added",
    "insert",
    "new table as added",
    add(`select job_id, min(created_at), max(finished_at), ${countNames.map(added).join(", ")}
      from added group by job_id`),
  ),
  ...trigger(
    "job_counts_of_changed",
    "update",
    "old table as removed new table as added",
    add(`select job_id, min(created_at), max(finished_at) filter (where sign = 1), ${changed}
      from (select *, 1 as sign from added union all select *, -1 from removed) as changed
      group by job_id having (${changed}) is distinct from (${unchanged})`),
  ),
  ...trigger(
    "job_counts_of_deleted",
    "delete",
    "old table as removed",
    `delete from job_counts where job_id in (select job_id from removed);
     insert into job_counts (${columns}) ${countAttempts("job_id in (select job_id from removed)")};`,
  ),
];
