import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";

export interface EndedSimulation {
  readonly job_id: string;
  readonly simulation_id: string;
  readonly group_id: string | null;
  readonly now: string;
}

const lockFeed = query(({ db }: StoreSource) =>
  db
    .insertInto("job_feeds")
    .values({ job_id: parameter<string>("job_id"), last_position: 0 })
    .onConflict((conflict) =>
      conflict
        .column("job_id")
        .doUpdateSet(({ ref }) => ({ last_position: ref("job_feeds.last_position") })),
    )
    .returning("last_position"),
);
const findOpen = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select("session_id")
    .where("job_id", "=", parameter<string>("job_id"))
    .where(({ eb, or }) =>
      or([
        eb("group_id", "=", parameter<string | null>("group_id")),
        eb("simulation_id", "=", parameter<string | null>("simulation_id")),
      ]),
    )
    .where("status", "in", ["pending", "running"])
    .limit(1),
);
const insert = query(({ db }: StoreSource) =>
  db
    .insertInto("finished_groups")
    .values({
      job_id: parameter<string>("job_id"),
      position: parameter<number>("position"),
      group_id: parameter<string | null>("group_id"),
      simulation_id: parameter<string | null>("simulation_id"),
      finished_at: parameter<string>("now"),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("position"),
);
const takePosition = query(({ db }: StoreSource) =>
  db
    .updateTable("job_feeds")
    .set({ last_position: parameter<number>("position") })
    .where("job_id", "=", parameter<string>("job_id")),
);

/**
 * Gives the group of an ended simulation its position in the job's feed, once nothing of the group is left to run.
 * Call it last in a transaction: it locks the job's feed.
 */
export async function finishGroup(
  runner: StoreRunner,
  { job_id, simulation_id, group_id, now }: EndedSimulation,
): Promise<void> {
  const [feed] = (await runner.run(lockFeed, { job_id })).rows;
  if (feed === undefined) return;
  const single = group_id === null ? simulation_id : null;
  // After taking the lock, so that members that ended in the meantime count as ended.
  const open = await runner.run(findOpen, { job_id, group_id, simulation_id: single });
  if (open.rows.length > 0) return;
  const position = feed.last_position + 1;
  const added = await runner.run(insert, {
    job_id,
    position,
    group_id,
    simulation_id: single,
    now,
  });
  if (added.rows.length > 0) await runner.run(takePosition, { job_id, position });
}
