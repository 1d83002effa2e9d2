import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { LastCall } from "../../job-store.ts";
import type { StepsOfModel } from "../read-latest-success-step.ts";

const find = query(({ db, dialect }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select(["model", "step_id", "status_code", "meta_json"])
    .where("session_id", "=", parameter<string>("session_id"))
    .where("model", "=", parameter<string>("model"))
    .where(dialect.metaNumber("status_code"), "=", 200)
    .where("step_id", ">", 0)
    .orderBy("step_id", "desc")
    .limit(1),
);

/**
 * Judges by `meta_json`, as rewards do: unlike the column `status_code`, it is also present in rows of other writers.
 */
export async function readLastSuccess(
  runner: StoreRunner,
  { session_id, model }: StepsOfModel,
): Promise<LastCall | null> {
  const { rows } = await runner.run(find, { session_id, model });
  return rows[0] ?? null;
}

export async function readLargestSuccessStep(
  runner: StoreRunner,
  of: StepsOfModel,
): Promise<number | null> {
  return (await readLastSuccess(runner, of))?.step_id ?? null;
}
