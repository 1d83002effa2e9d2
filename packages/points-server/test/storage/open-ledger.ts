import type { PointsEvent, Program, SnapshotInfo } from "@proj/points-server";
import { EventLog } from "../../src/ledger/event-log.ts";
import { buildSnapshot, type SnapshotOptions } from "../../src/snapshots/build-snapshot.ts";
import { SnapshotReader } from "../../src/snapshots/snapshot-reader.ts";
import type { PointsDatabase } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openForWriting } from "../../src/storage/open-database.ts";
import { type DatabaseName, temporaryStorage } from "./temporary-storage.ts";

/** What the threads of a store work with, where a test can say what time it is. */
export interface OpenLedger extends AsyncDisposable {
  readonly database: PointsDatabase;
  readonly reader: SnapshotReader;
  append(events: readonly PointsEvent[]): Promise<number>;
  snapshot(program: Program, options?: Partial<SnapshotOptions>): Promise<SnapshotInfo>;
  /** How many rows a table has. */
  count(table: string): Promise<number>;
}

export async function openLedger(name: DatabaseName): Promise<OpenLedger> {
  const storage = await temporaryStorage(name);
  const database = await openForWriting({ db_url: storage.db_url, synchronous: "normal" });
  await migrate(database);
  const log = new EventLog(database);
  const signal = new AbortController().signal;
  return {
    database,
    reader: new SnapshotReader(database),
    append: (events) => log.append(events),
    snapshot: (program, options) => buildSnapshot(database, program, { signal, ...options }),
    count: async (table) => {
      const sql = `select count(*) as count from ${table}`;
      const { rows } = await database.run<{ count: number }>({ sql, parameters: [] }, []);
      return Number(rows[0]?.count);
    },
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await storage[Symbol.asyncDispose]();
    },
  };
}
