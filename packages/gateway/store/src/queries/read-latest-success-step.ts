import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../dialect.ts";

export interface StepsOfModel {
  readonly session_id: string;
  readonly model: string;
}

const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select("step_id")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("model", "=", parameter<string>("model"))
    .where("status_code", "=", 200)
    .where("step_id", ">", 0)
    // From the last step back, because failed steps are rare.
    .orderBy("step_id", "desc")
    .limit(1),
);

export async function readLatestSuccessStep(
  runner: StoreRunner,
  { session_id, model }: StepsOfModel,
): Promise<number | null> {
  const { rows } = await runner.run(find, { session_id, model });
  return rows[0]?.step_id ?? null;
}
