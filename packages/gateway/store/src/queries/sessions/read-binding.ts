import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { SessionBinding } from "../../store.ts";

const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("session_owners")
    .select(({ fn }) => [
      "epoch",
      "closed_at",
      fn.coalesce("closed_at", "last_closed_at").as("last_closed_at"),
    ])
    .where("session_id", "=", parameter<string>("session_id")),
);

/** Null: the session was never bound or closed. */
export async function readBinding(
  runner: StoreRunner,
  session_id: string,
): Promise<SessionBinding | null> {
  const { rows } = await runner.run(find, { session_id });
  return rows[0] ?? null;
}
