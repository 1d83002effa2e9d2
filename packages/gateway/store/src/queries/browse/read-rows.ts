import { query } from "@proj/database";
import { type RawBuilder, type SelectQueryBuilder, sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { Payload } from "../../large-values.ts";
import type { StoreTables } from "../../schema.ts";
import { maxShownBytes, type RowPage, type RowQuery, type StoredRow } from "../../store-browser.ts";
import { endOfPage, pageLimit } from "../page.ts";
import { payloadBytes } from "../payload-bytes.ts";

/** At the largest payload that is shown, these are 30 MB. */
const maxWithPayload = 40;

const readBare = query((source: StoreSource) => rowsAfter(source, false));
const readWhole = query((source: StoreSource) => rowsAfter(source, true));

export async function readRows(
  runner: StoreRunner,
  { session_id, after = 0, limit, payload = false }: RowQuery,
): Promise<RowPage> {
  const most = Math.min(pageLimit(limit), payload ? maxWithPayload : Number.POSITIVE_INFINITY);
  const read = payload ? readWhole : readBare;
  const found = (await runner.run(read, { session_id, after, limit: most + 1 })).rows;
  const rows = found.map(asStoredRow);
  const last = endOfPage(rows.map(sizeOf), most);
  if (last === undefined) return { rows: [], next_after: null };
  const shown = rows.filter(({ id }) => id <= last.id);
  return { rows: shown, next_after: shown.length === rows.length ? null : last.id };
}

/** A row as the database returns it: SQLite has no booleans. */
type RowOfDatabase = Omit<StoredRow, "is_terminal" | "is_truncated"> & {
  readonly is_terminal: unknown;
  readonly is_truncated: unknown;
};

export const asStoredRow = (row: RowOfDatabase): StoredRow => ({
  ...row,
  is_terminal: Boolean(row.is_terminal),
  is_truncated: Boolean(row.is_truncated),
});

function sizeOf({ id, request, response, messages, meta_json }: StoredRow) {
  const payload = (request?.length ?? 0) + (response?.length ?? 0) + (messages?.length ?? 0);
  return { id, bytes: payload + meta_json.length };
}

function rowsAfter(source: StoreSource, payload: boolean) {
  return selectRows(source, payload)
    .where("session_id", "=", parameter<string>("session_id"))
    .where("id", ">", parameter<number>("after"))
    .orderBy("id")
    .limit(parameter<number>("limit"));
}

/** The columns of a StoredRow. @param payload whether to read payloads */
export function selectRows(
  { db }: StoreSource,
  payload: boolean,
): SelectQueryBuilder<StoreTables, "stored_steps", RowOfDatabase> {
  const shown = (column: Payload): RawBuilder<string | null> =>
    payload
      ? sql`case when ${payloadBytes(column)} <= ${sql.lit(maxShownBytes)}
          then (select ${sql.ref(column)} from unfolded_steps as step where step.id = stored_steps.id) end`
      : sql`cast(null as text)`;
  return db
    .selectFrom("stored_steps")
    .select(["id", "request_id", "model", "step_id", "status_code", "reward"])
    .select(["is_terminal", "is_truncated", "created_at", "messages_base", "messages_shared"])
    .select("meta_json")
    .select([
      payloadBytes("request").as("request_bytes"),
      payloadBytes("response").as("response_bytes"),
      payloadBytes("messages").as("messages_bytes"),
      shown("request").as("request"),
      shown("response").as("response"),
      shown("messages").as("messages"),
    ]);
}
