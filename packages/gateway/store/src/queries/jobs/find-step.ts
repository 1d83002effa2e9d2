import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";

export interface StepKey {
  readonly session_id: string;
  readonly model: string;
  readonly step_id: number;
}

const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select("id")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("model", "=", parameter<string>("model"))
    .where("step_id", "=", parameter<number>("step_id")),
);

export async function hasStep(
  runner: StoreRunner,
  { session_id, model, step_id }: StepKey,
): Promise<boolean> {
  return (await runner.run(find, { session_id, model, step_id })).rows.length > 0;
}
