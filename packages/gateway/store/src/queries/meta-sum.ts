import { type RawBuilder, sql } from "@proj/database/kysely";

/**
 * The sum of a column of numbers from `meta_json`. As floating point, which is exact up to 2^53, because a sum of
 * integers may overflow if an upstream invents large ones, and that would be an error.
 */
export const sumOf = (column: string): RawBuilder<number | null> =>
  sql<number | null>`sum(cast(${sql.ref(column)} as double precision))`;
