import type { Migration } from "@proj/database/queries";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";
import { steps } from "./0001-steps.ts";
import { jobs } from "./0002-jobs.ts";
import { sessions } from "./0003-sessions.ts";
import { routes } from "./0004-routes.ts";
import { scores } from "./0005-scores.ts";
import { values } from "./0006-values.ts";
import { counts } from "./0007-counts.ts";
import { reviews } from "./0008-reviews.ts";
import { lostHistories } from "./0009-lost-histories.ts";

/** In order; a schema's version is the number of migrations applied to it. A released migration never changes. */
export const migrations: readonly Migration<StoreTables, StoreDialect>[] = [
  steps,
  jobs,
  sessions,
  routes,
  scores,
  values,
  counts,
  reviews,
  lostHistories,
];
