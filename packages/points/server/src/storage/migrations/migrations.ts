import type { Migration } from "@proj/database/queries";
import type { PointsTables } from "../schema.ts";
import type { PointsDialect } from "../source.ts";
import { firstTables } from "./0001-first-tables.ts";
import { history } from "./0002-history.ts";

/** In order; a schema's version is the number of migrations applied. A released migration never changes. */
export const migrations: readonly Migration<PointsTables, PointsDialect>[] = [firstTables, history];
