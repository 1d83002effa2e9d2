import { parameter, type QuerySource } from "../prepared-query.ts";

export interface StepsOfModel {
  readonly session_id: string;
  readonly model: string;
}

/**
 * By what `meta_json` says, which is what rewards go by: unlike the column `status_code`, it is there
 * in rows of other writers too.
 */
export function largestSuccessStepReader({
  db,
  dialect,
  prepare,
}: QuerySource): (steps: StepsOfModel) => Promise<number | null> {
  const find = prepare(
    db
      .selectFrom("stored_steps")
      .select("step_id")
      .where("session_id", "=", parameter<string>("session_id"))
      .where("model", "=", parameter<string>("model"))
      .where(dialect.metaNumber("status_code"), "=", 200)
      .orderBy("step_id", "desc")
      .limit(1),
  );
  return async ({ session_id, model }) => (await find({ session_id, model }))[0]?.step_id ?? null;
}
