import { statement } from "@proj/database";
import type { PointsEvent, Program, SnapshotInfo } from "@proj/points-server";
import { EventLog } from "../../src/ledger/event-log.ts";
import { ruleSetOf } from "../../src/program/rule-set.ts";
import { buildSnapshot, type SnapshotOptions } from "../../src/snapshots/build-snapshot.ts";
import { SnapshotReader } from "../../src/snapshots/snapshot-reader.ts";
import { migrateStore } from "../../src/storage/migrate-store.ts";
import { openForWriting } from "../../src/storage/open-database.ts";
import type { PointsDatabase } from "../../src/storage/source.ts";
import { type DatabaseName, type TemporaryStorage, temporaryStorage } from "./temporary-storage.ts";

/** What the threads of a store work with; a test can set the time. */
export interface OpenLedger extends AsyncDisposable {
  readonly database: PointsDatabase;
  readonly reader: SnapshotReader;
  append(events: readonly PointsEvent[]): Promise<number>;
  snapshot(program: Program, options?: Partial<SnapshotOptions>): Promise<SnapshotInfo>;
  /** The number of rows of a table. */
  count(table: string): Promise<number>;
}

/** @param given an existing storage. @default a new one */
export async function openLedger(
  name: DatabaseName,
  given: TemporaryStorage | null = null,
): Promise<OpenLedger> {
  const storage = given ?? (await temporaryStorage(name));
  const database = await openForWriting({ db_url: storage.db_url, synchronous: "normal" });
  await migrateStore(database);
  const log = new EventLog(database);
  const signal = new AbortController().signal;
  return {
    database,
    reader: new SnapshotReader(database),
    append: (events) => log.append(events),
    snapshot: (program, options) =>
      buildSnapshot(database, [{ valid_from: 0, rules: ruleSetOf(program) }], {
        ...{ signal, ties: program.ranking?.ties, ...options },
      }),
    count: async (table) => {
      const sql = `select count(*) as count from ${table}`;
      const { rows } = await database.run(statement<{ count: number }>(sql));
      return Number(rows[0]?.count);
    },
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await storage[Symbol.asyncDispose]();
    },
  };
}
