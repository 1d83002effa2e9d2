import { ConnectionPool, PostgresDatabase } from "@proj/database/postgres";
import { createPostgresBuilder } from "@proj/database/queries";
import type { PointsDatabase, PointsSource } from "./source.ts";

/** Any number; all programs of this schema take the same. */
const schemaLock = 5_201_994;

const source: PointsSource = {
  db: createPostgresBuilder(),
  dialect: { keepInKeyOrder: (table) => table },
};

/** Connects when it is first asked for something. */
export function openPostgres(db_url: string, pool_size: number): PointsDatabase {
  // The time-out is of one statement: what takes long is done in many.
  const options = { db_url, pool_size, connect_timeout_s: 10, statement_timeout_s: 60 };
  const pool = new ConnectionPool(options, "points-server");
  return new PostgresDatabase({ pool, source, schemaLock });
}
