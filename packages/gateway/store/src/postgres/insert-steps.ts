import { type QueryRunner, type QueryValue, statement } from "@proj/database";
import type { StepRow } from "../store.ts";
import { encodeTextArray } from "./text-array.ts";

/** A row of a bound session. */
export interface OwnedRow extends StepRow {
  readonly epoch: number;
}

/**
 * Writes a whole batch in one round trip: one statement, planned once, whatever the batch's size. Rows that are
 * already stored are skipped. Each owner's row is locked against a change of epoch until the commit, and a row is
 * inserted only if its epoch is the session's, so the next gateway to bind the session reads all earlier rows, and
 * none follows. Locks are taken in the order of the ids, as everywhere, so that two batches cannot deadlock.
 */
const inserted = `
  with step as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::int[],
      $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
      $14::text[], $15::bigint[], $16::bigint[]) with ordinality as step (request_id, session_id, model, step_id, epoch,
      status_code, env_name, job_id, group_id, created_at, meta_json, request, response, messages,
      messages_base, messages_shared, position)
  ), owner as (
    select session_id, epoch from session_owners
    where session_id = any (select session_id from step) order by session_id for share
  ), inserted as (
    insert into stored_steps (request_id, session_id, model, step_id, status_code, env_name,
      job_id, group_id, created_at, meta_json, request, response, messages, messages_base,
      messages_shared)
    select request_id, session_id, model, step_id, status_code, env_name, job_id, group_id,
      created_at, meta_json, request, response, messages, messages_base, messages_shared
    from step join owner using (session_id, epoch) order by position
    on conflict do nothing returning id, request_id
  )`;

export interface InsertedRow {
  readonly id: number;
  readonly request_id: string;
}

/** Divides by zero, which undoes the statement, if some rows were skipped but not all. */
const insertAll = statement<InsertedRow>(`${inserted} select id, request_id,
  1 / ((select count(*) from inserted) = cardinality($1))::int as whole from inserted`);
const insertOne = statement<Pick<InsertedRow, "id">>(`${inserted} select id from inserted`);

/** Returns every row; if one was skipped it fails (22012) or returns none, and inserts nothing. */
export async function insertRows(
  runner: QueryRunner<unknown>,
  rows: readonly OwnedRow[],
): Promise<readonly InsertedRow[]> {
  return (await runner.run(insertAll, valuesOf(rows))).rows;
}

/** The row's `id`; null if the step or its number is already taken, or the session is not the gateway's. */
export async function insertRow(
  runner: QueryRunner<unknown>,
  row: OwnedRow,
): Promise<number | null> {
  return (await runner.run(insertOne, valuesOf([row]))).rows[0]?.id ?? null;
}

function valuesOf(rows: readonly OwnedRow[]): readonly QueryValue[] {
  const texts = (column: TextColumn): Buffer => encodeTextArray(rows.map((row) => row[column]));
  const numbers = (column: "step_id" | "epoch" | "status_code"): readonly number[] =>
    rows.map((row) => row[column]);
  return [
    texts("request_id"),
    texts("session_id"),
    texts("model"),
    numbers("step_id"),
    numbers("epoch"),
    numbers("status_code"),
    texts("env_name"),
    texts("job_id"),
    texts("group_id"),
    texts("created_at"),
    texts("meta_json"),
    texts("request"),
    texts("response"),
    texts("messages"),
    rows.map(({ history }) => history?.messages_base ?? null),
    rows.map(({ history }) => history?.messages_shared ?? null),
  ];
}

type TextColumn = Exclude<keyof StepRow, "step_id" | "epoch" | "status_code" | "history">;
