import type { Compilable, Kysely } from "@proj/database/kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/** The view `session_steps` of earlier schemas showed what was left of a history whose beginning another program emptied. */
export function lostHistories(_: Kysely<StoreTables>, dialect: StoreDialect): Compilable[] {
  return dialect.viewOfWholeSteps("unfolded_steps");
}
