import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../schema.ts";

/** The parameters of `insert`, in their order. */
export type StepValues = [
  request_id: string,
  session_id: string,
  model: string,
  step_id: number,
  status_code: number,
  env_name: string | null,
  job_id: string | null,
  group_id: string | null,
  created_at: string,
  meta_json: string,
  request: Uint8Array | null,
  response: Uint8Array | null,
  messages: Uint8Array | null,
];

/** Compiled once; the values here only stand for the parameters. */
export function compileStepStatements(db: Kysely<StoreTables>): {
  readonly insert: string;
  readonly find: string;
  readonly largest: string;
  readonly amend: string;
} {
  // UTF-8 goes from the caller's bytes into the table without ever being a JavaScript string.
  const textOfBytes = sql<string | null>`cast(${null} as text)`;
  const insert = db
    .insertInto("session_steps")
    .values({
      request_id: "",
      session_id: "",
      model: "",
      step_id: 0,
      status_code: 0,
      env_name: null,
      job_id: null,
      group_id: null,
      created_at: "",
      meta_json: "",
      request: textOfBytes,
      response: textOfBytes,
      messages: textOfBytes,
    })
    // Of either key: the request is stored already, or another one has its number.
    .onConflict((conflict) => conflict.doNothing());
  const find = db
    .selectFrom("session_steps")
    .select(["step_id", "meta_json"])
    .where("request_id", "=", "");
  const largest = db
    .selectFrom("session_steps")
    .select((select) => select.fn.max("step_id").as("step_id"))
    .where("session_id", "=", "")
    .where("model", "=", "");
  const amend = db
    .updateTable("session_steps")
    .set({ status_code: 0, meta_json: "" })
    .where("request_id", "=", "");
  return {
    insert: insert.compile().sql,
    find: find.compile().sql,
    largest: largest.compile().sql,
    amend: amend.compile().sql,
  };
}
