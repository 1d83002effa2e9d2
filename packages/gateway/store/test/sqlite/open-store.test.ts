import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { StoreSchemaError, StoreUnavailableError } from "@proj/database";
import { expect, test } from "vitest";
import { openStore } from "../../src/open-store.ts";
import { openSqliteStore } from "../../src/sqlite/open-sqlite-store.ts";
import { connectTo, newSession, openStoreOf, soon, temporaryFile } from "../temporary-database.ts";

test("opens by configuration, creates missing folders, and finds the same database again", async () => {
  const file = join(dirname(await temporaryFile()), "deep", "down", "gateway.db");
  const db_url = `sqlite://${relative(process.cwd(), file)}`;
  const store = await openStore({ storage_type: "sqlite", storage_config: { db_url } });
  const { row } = newSession(store);
  await store.writeSteps([row(1)], soon());
  await store.close();
  expect(store.storage_type).toBe("sqlite");

  const again = await openStoreOf(file);
  expect(again.storage_id).toBe(store.storage_id);
  expect(
    await again.readLatestSuccessStep({ session_id: row(1).session_id, model: "policy" }),
  ).toBe(1);
  const other = await openStoreOf(await temporaryFile());
  expect(other.storage_id).not.toBe(store.storage_id);
});

test("small columns come first and payloads last", async () => {
  const file = await temporaryFile();
  await openStoreOf(file);
  const names = connectTo(file).prepare("select name from pragma_table_info(?)").pluck();
  expect(names.all("session_steps").join(" ")).toBe(
    "id request_id session_id model step_id status_code env_name job_id group_id step_reward reward " +
      "is_trainable is_terminal is_truncated is_session_completed created_at messages_base " +
      "messages_shared meta_json request response messages",
  );
  expect(names.all("job_environments").join(" ")).toBe(
    "session_id job_id simulation_id attempt env_name group_id status reward owner heartbeat_at " +
      "created_at started_at finished_at env_params result error",
  );
});

test("indexes alone answer the gateway's frequent queries", async () => {
  const file = await temporaryFile();
  await openStoreOf(file);
  const plan = (query: string) =>
    connectTo(file).prepare<[], { detail: string }>(`explain query plan ${query}`).get()?.detail;
  const step = "session_id = 's' and model = 'm'";
  expect(
    plan(
      `select step_id from session_steps where ${step} and status_code = 200 order by step_id desc limit 1`,
    ),
  ).toContain("INDEX session_steps_by_step (session_id=? AND model=?)");
  expect(
    plan("select id from session_steps where session_id = 's' and id > 5 order by id limit 9"),
  ).toContain("COVERING INDEX session_steps_by_step");
});

test("a database runs in WAL mode", async () => {
  const file = await temporaryFile();
  await openStoreOf(file);
  expect(connectTo(file).pragma("journal_mode", { simple: true })).toBe("wal");
});

test("a schema that is newer than the program is a start error", async () => {
  const file = await temporaryFile();
  await (await openStoreOf(file)).close();
  connectTo(file).exec("update storage_info set schema_version = 1000");
  const opening = openSqliteStore({ db_url: `sqlite://${file}` });
  await expect(opening).rejects.toThrow(StoreSchemaError);
  await expect(opening).rejects.toThrow(
    /schema version 1000, and this program knows versions up to \d+:/,
  );
});

test("a database of another text encoding is refused", async () => {
  const file = await temporaryFile();
  connectTo(file).exec("pragma encoding = 'UTF-16le'; create table other (value)");
  await expect(openSqliteStore({ db_url: `sqlite://${file}` })).rejects.toThrow(StoreSchemaError);
});

test("a file that is not a database is unavailable and left unchanged", async () => {
  const file = await temporaryFile();
  await writeFile(file, "To be, or not to be: that is the question. ".repeat(100));
  const opening = openSqliteStore({ db_url: `sqlite://${file}` });
  await expect(opening).rejects.toThrow(StoreUnavailableError);
  await expect(opening).rejects.toThrow(/gateway\.db is not an SQLite database/);
});

test("a file that cannot be created is unavailable", async () => {
  const file = await temporaryFile();
  await mkdir(file);
  const opening = openSqliteStore({ db_url: `sqlite://${file}` });
  await expect(opening).rejects.toThrow(StoreUnavailableError);
  await expect(opening).rejects.toThrow(/cannot be opened/);

  await writeFile(join(file, "plain"), "");
  const below = openSqliteStore({ db_url: `sqlite://${file}/plain/gateway.db` });
  await expect(below).rejects.toThrow(/folder .*plain of the database does not exist/);
});

test.each(["sqlite://", "sqlite://:memory:", "sqlite:///var/lib/", "gateway.db"])(
  "%s names no file",
  async (db_url) => {
    await expect(openSqliteStore({ db_url })).rejects.toThrow(/db_url must name a file/);
  },
);

test("a URL of another kind is not repeated, because it may hold a password", async () => {
  const opening = openSqliteStore({ db_url: "postgres://me:secret@host/db" });
  await expect(opening).rejects.toThrow(/but is postgres:\/\/…$/);
});
