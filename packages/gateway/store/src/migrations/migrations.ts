import type { Migration } from "@proj/database/queries";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";
import { firstTables } from "./0001-first-tables.ts";
import { environmentsByStatus } from "./0002-environments-by-status.ts";
import { sessionOwners } from "./0003-session-owners.ts";
import { historiesOnce } from "./0004-histories-once.ts";
import { viewForOldSqlite } from "./0005-view-for-old-sqlite.ts";
import { finishedGroups } from "./0006-finished-groups.ts";
import { routeStates } from "./0007-route-states.ts";
import { sessionForks } from "./0008-session-forks.ts";
import { closesRemembered } from "./0009-closes-remembered.ts";
import { replaysIgnore } from "./0010-replays-ignore.ts";
import { sessionConversations } from "./0011-session-conversations.ts";

/** In order; a schema's version is the number of migrations applied to it. A released migration never changes. */
export const migrations: readonly Migration<StoreTables, StoreDialect>[] = [
  firstTables,
  environmentsByStatus,
  sessionOwners,
  historiesOnce,
  viewForOldSqlite,
  finishedGroups,
  routeStates,
  sessionForks,
  closesRemembered,
  replaysIgnore,
  sessionConversations,
];
