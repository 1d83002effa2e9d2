import { query } from "@proj/database";
import { type SqlBool, sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { PrunablePage, PrunableQuery } from "../../prune.ts";
import { isPrunable, ownBytes } from "./prunable.ts";

/** How many rows one page examines. */
const rowsPerPage = 2000;

const examine = query(({ db }: StoreSource) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("stored_steps")
        .select(["id", "created_at"])
        .where("id", ">", parameter<number>("after"))
        .orderBy("id")
        .limit(rowsPerPage)
        .as("step"),
    )
    .select(({ fn }) => [
      fn.max("id").as("last"),
      fn.min("created_at").as("oldest"),
      fn.countAll().as("rows"),
    ]),
);

const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .where("session_id", "in", (from) =>
      from
        .selectFrom("stored_steps")
        .select("session_id")
        .where("id", ">", parameter<number>("after"))
        .where("id", "<=", parameter<number>("last"))
        .where("created_at", "<", parameter<string>("before"))
        .where(
          sql<SqlBool>`coalesce(cast(${parameter<string | null>("job_id")} as text), job_id, '') = coalesce(job_id, '')`,
        ),
    )
    .groupBy("session_id")
    .having(isPrunable)
    // A session belongs to the page of its first row.
    .having(({ fn }) => fn.min("id"), ">", parameter<number>("after"))
    .select("session_id")
    .select(({ fn }) => [fn.countAll().as("rows"), fn.sum(ownBytes).as("bytes")])
    .orderBy("session_id"),
);

/** Goes through all rows in the order of their ids, which is about that of time, as long as there are old ones. */
export async function findPrunable(
  runner: StoreRunner,
  { before, keep, job_id = null, after = 0 }: PrunableQuery,
): Promise<PrunablePage> {
  const [page] = (await runner.run(examine, { after })).rows;
  const rows = Number(page?.rows ?? 0);
  if (page === undefined || rows === 0 || page.oldest >= before) {
    return { session_ids: [], rows: 0, bytes: 0, next_after: null };
  }
  const last = Number(page.last);
  const found = (await runner.run(find, { before, job_id, after, last })).rows;
  // Of a session that keeps its rows, nothing is left to prune once they have no payload.
  const sessions = found.filter(({ bytes }) => keep === "rewards" || Number(bytes) > 0);
  return {
    session_ids: sessions.map(({ session_id }) => session_id),
    rows: sessions.reduce((sum, session) => sum + Number(session.rows), 0),
    bytes: sessions.reduce((sum, session) => sum + Number(session.bytes), 0),
    next_after: rows < rowsPerPage ? null : last,
  };
}
