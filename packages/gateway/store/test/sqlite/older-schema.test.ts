import { compileMigrations } from "@proj/database/queries";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../src/migrations/migrations.ts";
import { openSqliteJobReader } from "../../src/sqlite/open-sqlite-job-reader.ts";
import { sqliteSource } from "../../src/sqlite/sqlite-source.ts";
import {
  connectTo,
  newSession,
  openStoreOf,
  soon,
  temporaryFile,
  utf8,
} from "../temporary-database.ts";

const before = 5;
const image = "i".repeat(50_000);

/** A database as an older gateway left it, with a row and another that builds on it. */
async function olderDatabase(): Promise<string> {
  const file = await temporaryFile();
  const database = connectTo(file);
  const statements = compileMigrations(migrations.slice(0, before), sqliteSource).flat();
  for (const { sql } of statements) database.exec(sql);
  database.exec(`create table storage_info
    (storage_id text not null primary key, schema_version integer not null, created_at text not null);
    insert into storage_info values ('old', ${before}, '2026-01-01T00:00:00.000Z')`);
  const insert = database.prepare(`insert into stored_steps (request_id, session_id, model, step_id,
      status_code, created_at, meta_json, request, messages, messages_base, messages_shared)
    values (?, 'session', 'policy', ?, 200, '2026-01-02T03:04:05.678Z', '{}', ?, ?, ?, ?)`);
  insert.run("one", 1, "{}", `["${image}"]`, null, null);
  insert.run("two", 2, null, `,"next"]`, 1, image.length + 3);
  return file;
}

const whole = [
  { request: "{}", messages: `["${image}"]` },
  { request: "{}", messages: `["${image}","next"]` },
];

test("a reader reads an older database as it is", async () => {
  const file = await olderDatabase();
  const reader = await openSqliteJobReader({ db_url: `sqlite://${file}` });
  onTestFinished(() => reader.close());
  expect((await reader.readSteps({ session_id: "session" })).steps).toMatchObject(whole);
  const { rows } = await reader.browser.readRows({ session_id: "session", payload: true });
  expect(rows[0]).toMatchObject(whole[0] ?? {});
  expect((await reader.browser.findSessions({ text: "next" })).session_ids).toEqual(["session"]);
});

test("a filled older database is updated, and takes rows with large values", async () => {
  const file = await olderDatabase();
  const store = await openStoreOf(file);
  const { row } = newSession(store);
  const added = row(3, { session_id: "session", messages: utf8(`["${image}"]`) });
  await store.writeSteps([added], soon());
  const { steps } = await store.readSteps({ session_id: "session" });
  expect(steps).toMatchObject([...whole, { messages: `["${image}"]` }]);
  const database = connectTo(file);
  const viewed = database.prepare("select request, messages from session_steps order by id").all();
  expect(viewed.slice(0, 2)).toEqual(whole);
  expect(database.prepare("select count(*) from stored_values").pluck().get()).toBe(1);
  database.exec("update session_steps set reward = 1 where step_id = 2");
  expect(database.prepare("select reward from stored_steps where id = 2").pluck().get()).toBe(1);
});
