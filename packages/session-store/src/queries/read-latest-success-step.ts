import { sql } from "kysely";
import { parameter, type QuerySource } from "./prepared-query.ts";

export function latestSuccessStepReader({
  db,
  prepare,
}: QuerySource): (session_id: string, model: string) => Promise<number | null> {
  const find = prepare(
    db
      .selectFrom("stored_steps")
      .select((select) => select.fn.max("step_id").as("step_id"))
      .where("session_id", "=", parameter<string>("session_id"))
      .where("model", "=", parameter<string>("model"))
      // Written out, because no parameter matches the condition of a partial index.
      .where("status_code", "=", sql.lit(200)),
  );
  return async (session_id, model) => (await find({ session_id, model }))[0]?.step_id ?? null;
}
