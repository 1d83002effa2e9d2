import { parameter, type QuerySource } from "../prepared-query.ts";

export interface StepKey {
  readonly session_id: string;
  readonly model: string;
  readonly step_id: number;
}

export function stepFinder({ db, prepare }: QuerySource): (key: StepKey) => Promise<boolean> {
  const find = prepare(
    db
      .selectFrom("stored_steps")
      .select("id")
      .where("session_id", "=", parameter<string>("session_id"))
      .where("model", "=", parameter<string>("model"))
      .where("step_id", "=", parameter<number>("step_id")),
  );
  return async ({ session_id, model, step_id }) =>
    (await find({ session_id, model, step_id })).length > 0;
}
