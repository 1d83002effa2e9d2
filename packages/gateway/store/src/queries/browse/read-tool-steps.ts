import { query } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { ToolStepPage, ToolStepQuery } from "../../tool-step.ts";
import { endOfPage } from "../page.ts";
import { payloadBytes } from "../payload-bytes.ts";

/** Few enough that others wait only a moment for the thread that reads and parses them. */
const maxRows = 1000;

/** Found in the index alone, before any row is read. */
const ids = ({ db, dialect }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select("id")
    .where("session_id", "in", dialect.stringsOf(sql`${parameter<string>("session_ids")}`))
    .where("id", ">", parameter<number>("after"))
    .orderBy("id")
    .limit(parameter<number>("limit"));

const readSizes = query((source: StoreSource) =>
  source.db
    .selectFrom("stored_steps")
    .where("id", "in", ids(source))
    .orderBy("id")
    .select([
      "id",
      payloadBytes("response").as("response"),
      payloadBytes("messages").as("messages"),
    ]),
);

const readRows = query((source: StoreSource) =>
  source.db
    .selectFrom("unfolded_steps")
    .where("id", "in", ids(source))
    .orderBy("id")
    .select(["session_id", "status_code", "meta_json", "messages_base", "response", "messages"]),
);

/** Calls of tools and their results, in the order of the rows. */
export async function readToolSteps(
  runner: StoreRunner,
  { session_ids, after = 0 }: ToolStepQuery,
): Promise<ToolStepPage> {
  const from = { session_ids: JSON.stringify(session_ids), after };
  const sizes = (await runner.run(readSizes, { ...from, limit: maxRows + 1 })).rows.map(
    ({ id, response, messages }) => ({ id, bytes: (response ?? 0) + (messages ?? 0) }),
  );
  const last = endOfPage(sizes, maxRows);
  if (last === undefined) return { steps: [], next_after: null };
  const limit = sizes.indexOf(last) + 1;
  const { rows } = await runner.run(readRows, { ...from, limit });
  // It brings the forms of all APIs along, which no other query needs.
  const { toolStepOf } = await import("../../conversation/read-tool-step.ts");
  return {
    steps: rows.map(({ session_id, ...row }) => ({ session_id, ...toolStepOf(row) })),
    next_after: limit === sizes.length ? null : last.id,
  };
}
