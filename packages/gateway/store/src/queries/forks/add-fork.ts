import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { ForkMode, ForkOrigin } from "../../session-fork.ts";
import { ignoredText } from "./ignored-members.ts";

const insert = query(({ db }: StoreSource) =>
  db.insertInto("session_forks").values({
    session_id: parameter<string>("session_id"),
    from_session_id: parameter<string>("from_session_id"),
    model: parameter<string | null>("model"),
    step: parameter<number | null>("step"),
    mode: parameter<ForkMode>("mode"),
    ignored: parameter<string | null>("ignored"),
  }),
);

const copy = query(({ db }: StoreSource) =>
  db
    .insertInto("session_forks")
    .columns(["session_id", "from_session_id", "model", "step", "mode", "ignored"])
    .expression((from) =>
      from
        .selectFrom("session_forks")
        .select([
          parameter<string>("next_session_id").as("session_id"),
          "from_session_id",
          "model",
          "step",
          "mode",
          "ignored",
        ])
        .where("session_id", "=", parameter<string>("session_id")),
    ),
);

/** For a new session. */
export async function addFork(
  runner: StoreRunner,
  session_id: string,
  { ignore, ...origin }: ForkOrigin,
): Promise<void> {
  await runner.run(insert, { session_id, ...origin, ignored: ignoredText(ignore) });
}

/** The next attempt begins from the same record as the previous one. */
export async function copyFork(
  runner: StoreRunner,
  sessions: { readonly session_id: string; readonly next_session_id: string },
): Promise<void> {
  await runner.run(copy, sessions);
}
