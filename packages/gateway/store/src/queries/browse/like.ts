import { type Expression, type SqlBool, sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";

/** Whether a column is like a pattern; ASCII letter case is ignored. @param name of the parameter with the pattern */
export const like = (column: string, name: string): Expression<SqlBool> =>
  sql<SqlBool>`lower(${sql.ref(column)}) like ${parameter<string>(name)} escape '\\'`;

/** Finds a text anywhere. */
export const pattern = (text: string): string => `%${escaped(text)}%`;

export const escaped = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, "\\$&");
