import { type RawBuilder, sql } from "@proj/database/kysely";

/**
 * Of a column that has a number of `meta_json`. As floating point, which is exact up to 2^53: a sum of
 * integers that an upstream made up may overflow, which is an error.
 */
export const sumOf = (column: string): RawBuilder<number | null> =>
  sql<number | null>`sum(cast(${sql.ref(column)} as double precision))`;
