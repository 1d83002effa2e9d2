import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../schema.ts";

export async function readLatestSuccessStep(
  db: Kysely<StoreTables>,
  session_id: string,
  model: string,
): Promise<number | null> {
  const row = await db
    .selectFrom("session_steps")
    .select((select) => select.fn.max("step_id").as("step_id"))
    .where("session_id", "=", session_id)
    .where("model", "=", model)
    // Written out, because no parameter matches the condition of a partial index.
    .where("status_code", "=", sql.lit(200))
    .executeTakeFirst();
  return row?.step_id ?? null;
}
