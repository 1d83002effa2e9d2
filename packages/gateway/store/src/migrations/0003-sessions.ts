import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { StoreTables } from "../schema.ts";

export function sessions(db: Kysely<StoreTables>): Compilable[] {
  // Which gateway a session belongs to when several share a database: a gateway's writes count only while its epoch is
  // the session's. A row is never deleted, so that no epoch is used twice. `last_closed_at` stays when the session is
  // opened again: keys that were made before it no longer open anything.
  const owners = db.schema
    .createTable("session_owners")
    .addColumn("session_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("gateway_id", "text", (column) => column.notNull())
    .addColumn("epoch", "bigint", (column) => column.notNull())
    .addColumn("closed_at", "text")
    .addColumn("last_closed_at", "text");
  // A count that each gateway raises with every batch that it stores (PostgreSQL). A database in which it is smaller
  // than the gateway knows has lost something: see postgres/gateway-mark.ts. `seen_at`: seconds since the epoch, by the
  // database's clock.
  const marks = db.schema
    .createTable("gateway_marks")
    .addColumn("gateway_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("mark", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "double precision", (column) => column.notNull());
  // Sessions that begin from another session's record, each written before its session's first step. `ignored`: the
  // members that a replay ignores when it compares requests, because agents put random ids into some.
  const forks = db.schema
    .createTable("session_forks")
    .addColumn("session_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("from_session_id", "text", (column) => column.notNull())
    .addColumn("model", "text")
    .addColumn("step", "integer")
    .addColumn("mode", "text", (column) => column.notNull().check(sql`mode in ('fork', 'replay')`))
    .addColumn("ignored", "text");
  // Where upstreams keep the conversations of sessions. A conversation exists before its first step.
  const conversations = db.schema
    .createTable("session_conversations")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("conversation_id", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("replica", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_conversations_pk", ["session_id", "conversation_id"]);

  return [owners, marks, forks, conversations];
}
