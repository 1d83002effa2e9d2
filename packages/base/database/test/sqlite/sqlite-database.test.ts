import { migrate, query, StoreSchemaError, statement } from "@proj/database";
import { createSqliteBuilder, parameter } from "@proj/database/queries";
import { SqliteDatabase } from "@proj/database/sqlite";
import { expect, test } from "vitest";
import { newStop, openWriter, temporaryFile } from "../temporary-file.ts";

interface Tables {
  readonly notes: { readonly text: string };
}

const source = { db: createSqliteBuilder<Tables>() };
const createNotes = [{ sql: "create table notes (text text)", parameters: [] }];
let compiled = 0;
const add = query(({ db }: typeof source) => {
  compiled += 1;
  return db.insertInto("notes").values({ text: parameter<string>("text") });
});
const read = query(({ db }: typeof source) => db.selectFrom("notes").select("text"));

async function openNotes() {
  const file = await temporaryFile();
  const connection = openWriter(file);
  const database = new SqliteDatabase({
    ...{ file, source, stop: newStop(), busyTimeoutMs: 1_000 },
    connect: () => connection,
  });
  await database.transaction((runner) => migrate(database, runner, [createNotes]));
  return database;
}

test("transactions run one after the other, and one that fails leaves nothing", async () => {
  const database = await openNotes();
  const first = database.transaction(async (runner) => {
    await runner.run(add, { text: "lost" });
    throw new Error("given up");
  });
  const second = database.transaction(async (runner) => {
    await runner.run(add, { text: "kept" });
    return runner.run(read);
  });
  await expect(first).rejects.toThrow("given up");
  expect((await second).rows).toEqual([{ text: "kept" }]);
  expect(compiled).toBe(1);
});

test("nothing is committed after a transaction's deadline", async () => {
  const database = await openNotes();
  const late = database.transaction((runner) => runner.run(add, { text: "late" }), 0);
  await expect(late).rejects.toThrow(/deadline/);
  expect((await database.run(read)).rows).toEqual([]);
});

test("a schema is updated once, and a newer one is refused", async () => {
  const database = await openNotes();
  const again = () => database.transaction((runner) => migrate(database, runner, [createNotes]));
  expect(await again()).toBe(await again());
  await database.run(statement("update storage_info set schema_version = 7"));
  await expect(again()).rejects.toThrow(StoreSchemaError);
});
