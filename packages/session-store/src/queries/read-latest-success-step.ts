import { parameter, type QuerySource } from "./prepared-query.ts";

export function latestSuccessStepReader({
  db,
  prepare,
}: QuerySource): (session_id: string, model: string) => Promise<number | null> {
  const find = prepare(
    db
      .selectFrom("stored_steps")
      .select("step_id")
      .where("session_id", "=", parameter<string>("session_id"))
      .where("model", "=", parameter<string>("model"))
      .where("status_code", "=", 200)
      // From the last one back: a step that failed is rare.
      .orderBy("step_id", "desc")
      .limit(1),
  );
  return async (session_id, model) => (await find({ session_id, model }))[0]?.step_id ?? null;
}
