import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { LastCall } from "../../job-store.ts";

const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select(["model", "step_id", "status_code", "meta_json"])
    .where("session_id", "=", parameter<string>("session_id"))
    .orderBy("id", "desc")
    .limit(1),
);

export async function readLastCall(
  runner: StoreRunner,
  session_id: string,
): Promise<LastCall | null> {
  const { rows } = await runner.run(find, { session_id });
  return rows[0] ?? null;
}
