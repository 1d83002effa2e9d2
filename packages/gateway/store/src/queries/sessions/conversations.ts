import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { StoredConversation } from "../../store.ts";
import { maxObjects } from "./max-objects.ts";

/** A statement for all databases, but for the names of its parameters. */
export const keepConversationSql = (
  session_id: string,
  conversation_id: string,
  model: string,
  replica: string,
  created_at: string,
): string => `
  insert into session_conversations (session_id, conversation_id, model, replica, created_at)
  values (${session_id}, ${conversation_id}, ${model}, ${replica}, ${created_at})
  on conflict (session_id, conversation_id) do nothing`;

const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("session_conversations")
    .select(["conversation_id", "model", "replica"])
    .where("session_id", "=", parameter<string>("session_id"))
    .orderBy("created_at", "desc")
    .orderBy("conversation_id")
    .limit(maxObjects),
);

/** The latest conversations of a session that an upstream may keep, oldest first. */
export async function readConversations(
  runner: StoreRunner,
  session_id: string,
): Promise<readonly StoredConversation[]> {
  return (await runner.run(find, { session_id })).rows.toReversed();
}
