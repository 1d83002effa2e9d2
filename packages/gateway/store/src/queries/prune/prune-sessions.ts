import { query } from "@proj/database";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreRunner, StoreSource } from "../../dialect.ts";
import type { SessionPruning } from "../../prune.ts";
import type { StoreTables } from "../../schema.ts";
import { isPrunable, ownBytes } from "./prunable.ts";

/** What one transaction takes: few enough rows and bytes that a writer who waits for it does not notice. */
const maxRows = 256;
const maxBytes = 8 * 1024 * 1024;
/** Later than every stored time. */
const always = "9999";

/** Not the key itself: PostgreSQL would go through it, and so through all newer rows, to find a few old ones. */
const place = sql<number>`id + 0`;

const findSessions = query((source: StoreSource) =>
  source.db
    .selectFrom("stored_steps")
    .select("session_id")
    .where(isAmong(source))
    .groupBy("session_id")
    .having(isPrunable),
);
const findRows = query((source: StoreSource) =>
  source.db
    .selectFrom("stored_steps")
    .select(["id", ownBytes.as("bytes")])
    .where(isAmong(source))
    .where(place, "<", parameter<number>("below"))
    .orderBy(place, "desc")
    .limit(maxRows + 1),
);

/** The rows of a part. */
const isPart = (source: StoreSource) => (step: ExpressionBuilder<StoreTables, "stored_steps">) =>
  step.and([
    isAmong(source)(step),
    step(place, ">=", parameter<number>("lowest")),
    step(place, "<", parameter<number>("below")),
  ]);
const idsOfPart = (source: StoreSource) =>
  source.db.selectFrom("stored_steps").select("id").where(isPart(source));
const findValues = query((source: StoreSource) =>
  source.db
    .selectFrom("step_values")
    .select(["scope", "sha256"])
    .distinct()
    .where("row_id", "in", idsOfPart(source))
    .orderBy("scope")
    .orderBy("sha256"),
);
const deletePlaces = query((source: StoreSource) =>
  source.db.deleteFrom("step_values").where("row_id", "in", idsOfPart(source)),
);
const deleteRows = query((source: StoreSource) =>
  source.db.deleteFrom("stored_steps").where(isPart(source)),
);
const emptyRows = query((source: StoreSource) =>
  source.db
    .updateTable("stored_steps")
    .set({ request: null, response: null, messages: null })
    .set({ messages_base: null, messages_shared: null })
    .where(isPart(source)),
);
const lockValue = query(({ db, dialect }: StoreSource) =>
  dialect.lockRows(
    db
      .selectFrom("stored_values")
      .select("sha256")
      .where("scope", "=", parameter<string>("scope"))
      .where("sha256", "=", parameter<string>("sha256")),
  ),
);
const deleteValue = query(({ db }: StoreSource) =>
  db
    .deleteFrom("stored_values")
    .where("scope", "=", parameter<string>("scope"))
    .where("sha256", "=", parameter<string>("sha256"))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("step_values")
            .select("row_id")
            .where("scope", "=", parameter<string>("scope"))
            .where("sha256", "=", parameter<string>("sha256")),
        ),
      ),
    ),
);
const deleteForks = query((source: StoreSource) =>
  source.db.deleteFrom("session_forks").where(isAmong(source)),
);
const deleteConversations = query((source: StoreSource) =>
  source.db.deleteFrom("session_conversations").where(isAmong(source)),
);

export interface PrunedPart {
  readonly rows: number;
  /** `below` for the next part; null: all is done. */
  readonly next_below: number | null;
}

/**
 * Prunes a part of what is stored of these sessions, in one transaction: the newest rows first, so that those that stay
 * still have all that they build on.
 */
export function prunePart(
  database: StoreQueries,
  { keep, before, below, ...given }: SessionPruning & { readonly below: number },
): Promise<PrunedPart> {
  return database.transaction(async (runner) => {
    const asked = JSON.stringify(given.session_ids);
    const found = (await runner.run(findSessions, { asked, before: before ?? always })).rows;
    const sessions = { asked: JSON.stringify(found.map(({ session_id }) => session_id)) };
    const rows = (await runner.run(findRows, { ...sessions, below })).rows;
    const taken = takeRows(rows);
    const lowest = taken.at(-1)?.id;
    if (lowest !== undefined) {
      const from = { ...sessions, lowest, below };
      const values = (await runner.run(findValues, from)).rows;
      await runner.run(deletePlaces, from);
      if (keep === "rows") await runner.run(emptyRows, from);
      else await runner.run(deleteRows, from);
      for (const value of values) await deleteUnused(runner, value);
    }
    const isDone = taken.length === rows.length;
    // Its origin may go once the payloads of a fork have gone.
    if (isDone) await runner.run(deleteForks, sessions);
    if (isDone && keep === "rewards") await runner.run(deleteConversations, sessions);
    return { rows: taken.length, next_below: isDone ? null : Number(lowest) };
  });
}

/** A writer that uses the value holds it until its commit; only then is it known whether the value is used. */
async function deleteUnused(
  runner: StoreRunner,
  value: { readonly scope: string; readonly sha256: string },
): Promise<void> {
  await runner.run(lockValue, { ...value });
  await runner.run(deleteValue, { ...value });
}

function takeRows<Row extends { readonly bytes: number }>(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const taken = rows.slice(0, maxRows).findIndex((row) => {
    bytes += Number(row.bytes);
    return bytes > maxBytes;
  });
  return rows.slice(0, taken < 0 ? maxRows : Math.max(taken, 1));
}

type SessionTables = "stored_steps" | "session_forks" | "session_conversations";

const isAmong =
  ({ dialect }: StoreSource) =>
  (_: ExpressionBuilder<StoreTables, SessionTables>): Expression<SqlBool> =>
    sql<SqlBool>`session_id in ${dialect.stringsOf(parameter<string>("asked"))}`;
