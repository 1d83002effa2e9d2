import type { Migrations } from "@proj/database";
import { type Compilable, sql } from "@proj/database/kysely";
import { compileMigrations } from "@proj/database/queries";
import { migrations } from "../migrations/migrations.ts";
import { sqliteSource } from "./sqlite-source.ts";
import type { StepColumns } from "./step-batch.ts";

/**
 * All SQL of the writer. It is compiled before the thread starts, so that a writer that replaces a dead one is ready in
 * a fraction of the time that loading Kysely takes.
 */
export interface WriterStatements {
  readonly migrations: Migrations;
  /** Its parameters are StepValues. */
  readonly insertStep: string;
  /** By `request_id`. */
  readonly findStep: string;
  /** By `id` and `request_id`. */
  readonly findBase: string;
  /** By session and model. */
  readonly stepNumbers: string;
  /** `status_code`, `meta_json`, `request_id`. */
  readonly amendStep: string;
}

/** The parameters of `insertStep`, in their order. */
export type StepValues = [
  ...StepColumns,
  request: Uint8Array | null,
  response: Uint8Array | null,
  messages: Uint8Array | null,
  messages_base: number | null,
  messages_shared: number | null,
];

/** The values in these queries are placeholders for parameters. */
export function compileWriterStatements(): WriterStatements {
  const { db } = sqliteSource;
  // UTF-8 goes from the caller's bytes into the table without becoming a JavaScript string.
  const textOfBytes = sql<string | null>`cast(${null} as text)`;
  const insertStep = db
    .insertInto("stored_steps")
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
      messages_base: null,
      messages_shared: null,
    })
    // On either key: the request is already stored, or its number is taken.
    .onConflict((conflict) => conflict.doNothing());
  const findStep = db
    .selectFrom("stored_steps")
    .select(["id", "step_id", "meta_json"])
    .where("request_id", "=", "");
  const findBase = db
    .selectFrom("stored_steps")
    .select("id")
    .where("id", "=", 0)
    .where("request_id", "=", "");
  const stepNumbers = db
    .selectFrom("stored_steps")
    .select(({ fn }) => [fn.min("step_id").as("smallest"), fn.max("step_id").as("largest")])
    .where("session_id", "=", "")
    .where("model", "=", "");
  const amendStep = db
    .updateTable("stored_steps")
    .set({ status_code: 0, meta_json: "", response: sql<string>`coalesce(${""}, response)` })
    .where("request_id", "=", "");
  return {
    migrations: compileMigrations(migrations, sqliteSource),
    insertStep: sqlOf(insertStep),
    findStep: sqlOf(findStep),
    findBase: sqlOf(findBase),
    stepNumbers: sqlOf(stepNumbers),
    amendStep: sqlOf(amendStep),
  };
}

function sqlOf(query: Compilable): string {
  return query.compile().sql;
}
