import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { Kysely, type SqliteDatabase, SqliteDialect } from "kysely";

/** The obvious table. */
interface OffsetTables {
  ranking: RankingRow;
}

export interface RankingRow {
  address: string;
  points: bigint | number;
  last24h_points: string;
  lp_points: string;
  swap_points: string;
}

/** Kysely over Node's built-in SQLite. */
export function openOffsetDatabase(file: string): Kysely<OffsetTables> {
  const connection = new DatabaseSync(file, { readBigInts: true });
  connection.exec(
    "pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -262144",
  );
  const database: SqliteDatabase = {
    close: () => connection.close(),
    prepare: (sql) => {
      const statement = connection.prepare(sql);
      const values = (list: readonly unknown[]): SQLInputValue[] => list as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (list) => statement.all(...values(list)),
        run: (list) => statement.run(...values(list)),
        iterate: (list) => statement.iterate(...values(list)),
      };
    },
  };
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}
