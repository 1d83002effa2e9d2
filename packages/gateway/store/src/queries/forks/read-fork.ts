import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { SessionFork } from "../../session-fork.ts";
import { ignoredMembers } from "./ignored-members.ts";

const read = query(({ db }: StoreSource) =>
  db
    .selectFrom("session_forks")
    .select(["session_id", "from_session_id", "model", "step", "mode", "ignored"])
    .where("session_id", "=", parameter<string>("session_id")),
);

export async function readFork(
  runner: StoreRunner,
  session_id: string,
): Promise<SessionFork | null> {
  const [row] = (await runner.run(read, { session_id })).rows;
  if (row === undefined) return null;
  const { ignored, ...fork } = row;
  return { ...fork, ignore: ignoredMembers(ignored) };
}
