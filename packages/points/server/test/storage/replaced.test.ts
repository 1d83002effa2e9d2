import { existsSync, renameSync, rmSync } from "node:fs";
import { query, StoreReplacedError } from "@proj/database";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { migrateStore } from "../../src/storage/migrate-store.ts";
import { openForWriting } from "../../src/storage/open-database.ts";
import type { PointsSource } from "../../src/storage/source.ts";
import { temporaryStorage } from "./temporary-storage.ts";

test("events are stored in the file of that name or refused, and stored again once the right file is back", async () => {
  await using storage = await temporaryStorage("sqlite");
  const file = storage.db_url.replace("sqlite://", "");
  const database = await openForWriting({ db_url: storage.db_url });
  await migrateStore(database);
  const key = (text: string) =>
    database.transaction(async (runner) => {
      const values = { id: text.length, key: text };
      await runner.run(query(({ db }: PointsSource) => db.insertInto("streams").values(values)));
    });
  const storedKeys = (): unknown[] => {
    const other = new Database(file);
    const keys = other.prepare("select key from streams order by id").pluck().all();
    other.close();
    return keys;
  };
  await key("a");
  const other = new Database(file);
  other.exec(`vacuum into '${file}.backup'`);
  other.close();
  renameSync(file, `${file}.gone`);
  await expect(key("ab")).rejects.toThrow(StoreReplacedError);
  expect(existsSync(file)).toBe(false);

  renameSync(`${file}.backup`, file);
  await key("abc");
  expect(storedKeys()).toEqual(["a", "abc"]);

  rmSync(file);
  const foreign = new Database(file);
  foreign.exec("create table streams (id integer, key text)");
  await expect(key("abcd")).rejects.toThrow(StoreReplacedError);
  expect(foreign.prepare("select * from streams").all()).toEqual([]);
  foreign.close();
  await database.close();
});
