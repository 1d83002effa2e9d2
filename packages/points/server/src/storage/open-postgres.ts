import { ConnectionPool, PostgresDatabase } from "@proj/database/postgres";
import { createPostgresBuilder } from "@proj/database/queries";
import type { PointsDatabase, PointsSource } from "./source.ts";

/** An arbitrary number; all programs with this schema use the same. */
const schemaLock = 5_201_994;

const source: PointsSource = {
  db: createPostgresBuilder(),
  dialect: { byteOrder: "C", keepInKeyOrder: (table) => table },
};

/** Connects on first use. */
export function openPostgres(db_url: string, pool_size: number): PointsDatabase {
  // This limits a single statement: long work is split into many.
  const options = { db_url, pool_size, connect_timeout_s: 10, statement_timeout_s: 60 };
  const pool = new ConnectionPool(options, "points-server");
  return new PostgresDatabase({ pool, source, schemaLock });
}
