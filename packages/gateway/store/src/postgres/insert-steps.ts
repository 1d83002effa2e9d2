import { type QueryRunner, type QueryValue, statement } from "@proj/database";
import type { StepRow } from "../store.ts";
import type { FoldedRows, PlacedValue } from "./fold-rows.ts";
import { type GatewayMark, raiseMark } from "./gateway-mark.ts";
import { encodeTextArray } from "./text-array.ts";

/** A row of a bound session. */
export interface OwnedRow extends StepRow {
  readonly epoch: number;
}

/**
 * Writes a whole batch in one round trip: one statement, planned once, whatever the batch's size. Rows that are
 * already stored are skipped. Each owner's row is locked against a change of epoch until the commit, and a row is
 * inserted only if its epoch is the session's, so the next gateway to bind the session reads all earlier rows, and
 * none follows. Locks are taken in the order of the ids, as everywhere, so that two batches cannot deadlock. A row is
 * skipped if the row that its history builds on is not there.
 */
const inserted = `
  step as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::int[],
      $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
      $14::text[], $15::bigint[], $16::bigint[], $17::text[]) with ordinality as step (request_id, session_id, model, step_id, epoch,
      status_code, env_name, job_id, group_id, created_at, meta_json, request, response, messages,
      messages_base, messages_shared, base_request_id, position)
  ), owner as (
    select session_id, epoch from session_owners
    where session_id = any (select session_id from step) and gateway_id = $18
    order by session_id for share
  ), inserted as (
    insert into stored_steps (request_id, session_id, model, step_id, status_code, env_name,
      job_id, group_id, created_at, meta_json, request, response, messages, messages_base,
      messages_shared)
    select request_id, session_id, model, step_id, status_code, env_name, job_id, group_id,
      created_at, meta_json, request, response, messages, messages_base, messages_shared
    from step join owner using (session_id, epoch)
    where messages_base is null or exists (select from stored_steps as base
      where base.id = step.messages_base and base.request_id = step.base_request_id)
    order by position
    on conflict do nothing returning id, request_id
  )`;

interface InsertedRow {
  readonly id: number;
  readonly request_id: string;
  /** The gateway's, after this batch. */
  readonly mark: number;
}

/**
 * Divides by zero, which undoes the statement, if some rows were skipped, but not all, or if the database went back.
 */
const allOf = (values: string) =>
  statement<InsertedRow>(`with mark as (${raiseMark("$18", "$19")}), ${inserted}${values}
  select id, request_id, (select mark from mark) as mark,
    1 / ((select count(*) from inserted) = cardinality($1) and exists (select from mark))::int as whole
  from inserted`);
const oneOf = (values: string) =>
  statement<Pick<InsertedRow, "id">>(`with ${inserted}${values} select id from inserted`);

/**
 * Stores the large values of the inserted rows, each once, and their places. A value that is there already is locked
 * until the commit, so that a pruning program that looks for its users waits and then finds this one. The order keeps
 * two batches from a deadlock.
 * @param first number of the first parameter
 */
const withValues = (first: number): string => {
  const next = (offset: number): string => `$${first + offset}`;
  return `, value as (
    insert into stored_values (scope, sha256, content)
    select scope, sha256, content
    from unnest(${next(0)}::text[], ${next(1)}::text[], ${next(2)}::text[]) as value (scope, sha256, content)
    where exists (select from inserted) order by scope, sha256
    on conflict (scope, sha256) do update set scope = excluded.scope
  ), place as (
    insert into step_values (row_id, payload, position, rest_start, rest_end, bytes, scope, sha256)
    select inserted.id, payload, position, rest_start, rest_end, bytes, scope, sha256
    from unnest(${next(3)}::text[], ${next(4)}::text[], ${next(5)}::int[], ${next(6)}::int[], ${next(7)}::int[],
      ${next(8)}::int[], ${next(9)}::text[], ${next(10)}::text[])
      as place (request_id, payload, position, rest_start, rest_end, bytes, scope, sha256)
    join inserted using (request_id)
  )`;
};

const insertAll = allOf("");
const insertAllWithValues = allOf(withValues(20));
const insertOne = oneOf("");
const insertOneWithValues = oneOf(withValues(19));

/** Returns every row; if one was skipped it fails (22012) or returns none, and inserts nothing. */
export async function insertRows(
  runner: QueryRunner<unknown>,
  { rows, values }: FoldedRows,
  { gateway_id, acknowledged }: GatewayMark,
): Promise<readonly InsertedRow[]> {
  const parameters = [...valuesOf(rows), gateway_id, acknowledged];
  const inserted =
    values.length === 0
      ? await runner.run(insertAll, parameters)
      : await runner.run(insertAllWithValues, [...parameters, ...largeValuesOf(values)]);
  return inserted.rows;
}

/**
 * The row's `id`; null if the step or its number is already taken, the session is not the gateway's, or the row that
 * its history builds on is gone.
 */
export async function insertRow(
  runner: QueryRunner<unknown>,
  { rows, values }: FoldedRows,
  { gateway_id }: GatewayMark,
): Promise<number | null> {
  const parameters = [...valuesOf(rows), gateway_id];
  const inserted =
    values.length === 0
      ? await runner.run(insertOne, parameters)
      : await runner.run(insertOneWithValues, [...parameters, ...largeValuesOf(values)]);
  return inserted.rows[0]?.id ?? null;
}

/** Each value once, and all of their places. */
function largeValuesOf(values: readonly PlacedValue[]): readonly QueryValue[] {
  const different = new Map(values.map((value) => [`${value.scope}\0${value.sha256}`, value]));
  const once = [...different.values()];
  const texts = (of: readonly PlacedValue[], key: "scope" | "sha256" | "content"): Buffer =>
    encodeTextArray(of.map((value) => value[key]));
  const plain = (key: "request_id" | "payload"): Buffer =>
    encodeTextArray(values.map((value) => value[key]));
  const numbers = (key: "position" | "rest_start" | "rest_end"): readonly number[] =>
    values.map((value) => value[key]);
  return [
    texts(once, "scope"),
    texts(once, "sha256"),
    texts(once, "content"),
    plain("request_id"),
    plain("payload"),
    numbers("position"),
    numbers("rest_start"),
    numbers("rest_end"),
    values.map(({ content }) => content.length),
    texts(values, "scope"),
    texts(values, "sha256"),
  ];
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
    rows.map(({ history }) => history?.base_request_id ?? null),
  ];
}

type TextColumn = Exclude<keyof StepRow, "step_id" | "epoch" | "status_code" | "history">;
