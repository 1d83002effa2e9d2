import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

/**
 * Where the conversations are that upstreams keep for sessions. No step says so: a conversation is there
 * before the first one that belongs to it.
 */
export function sessionConversations(db: Kysely<StoreTables>): Compilable[] {
  const conversations = db.schema
    .createTable("session_conversations")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("conversation_id", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("replica", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_conversations_pk", ["session_id", "conversation_id"]);
  return [conversations];
}
