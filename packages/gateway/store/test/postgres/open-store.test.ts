import { createServer } from "node:net";
import { StoreSchemaError, StoreUnavailableError } from "@proj/database";
import { compileMigrations } from "@proj/database/queries";
import { listen } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../src/migrations/migrations.ts";
import { openJobStore } from "../../src/open-job-store.ts";
import { openStore } from "../../src/open-store.ts";
import { postgresSource } from "../../src/postgres/postgres-source.ts";
import type { SessionStore } from "../../src/store.ts";

async function emptyDatabase(): Promise<string> {
  const database = await temporaryPostgres();
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database.url;
}

async function open(db_url: string): Promise<SessionStore> {
  const store = await openStore({
    storage_type: "cloud",
    storage_config: { db_url, connect_timeout_s: 1 },
  });
  onTestFinished(() => store.close());
  return store;
}

async function query<Row>(db_url: string, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: db_url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

test("gateways and launchers that start at once create one database", async () => {
  const db_url = await emptyDatabase();
  const storage = { storage_type: "cloud", storage_config: { db_url } } as const;
  const jobs = await Promise.all([1, 2, 3].map(() => openJobStore(storage)));
  onTestFinished(async () => {
    for (const store of jobs) await store.close();
  });
  const stores = await Promise.all([1, 2, 3].map(() => open(db_url)));
  const ids = new Set([...stores, ...jobs].map(({ storage_id }) => storage_id));
  expect(ids.size).toBe(1);
  expect(stores[0]?.storage_type).toBe("cloud");
  const other = await open(await emptyDatabase());
  expect(ids).not.toContain(other.storage_id);
});

test("an older database is counted when it is updated, and so is what launchers of its version do then", async () => {
  const db_url = await emptyDatabase();
  const before = 6;
  const statements = compileMigrations(migrations.slice(0, before), postgresSource).flat();
  for (const { sql } of statements) await query(db_url, sql);
  await query(
    db_url,
    `create table storage_info
      (storage_id text not null primary key, schema_version integer not null, created_at text not null);
    insert into storage_info values ('old', ${before}, '2026-01-01T00:00:00.000Z');
    insert into job_environments (session_id, job_id, simulation_id, attempt, status, created_at)
    values ('a-1', 'job', 'a', 1, 'infrastructure', '2026'), ('a-2', 'job', 'a', 2, 'running', '2026'),
      ('b-1', 'job', 'b', 1, 'pending', '2026')`,
  );
  const jobs = await openJobStore({ storage_type: "cloud", storage_config: { db_url } });
  onTestFinished(() => jobs.close());
  const counted = { job_id: "job", simulations: 2, infrastructure_attempts: 1, infrastructure: 0 };
  expect(await jobs.readJobs()).toMatchObject([{ ...counted, running: 1, pending: 1 }]);
  await query(db_url, "update job_environments set status = 'failed' where session_id = 'a-2'");
  expect(await jobs.readJobs()).toMatchObject([{ ...counted, running: 0, pending: 1, failed: 1 }]);
});

test("small columns come first, and payloads last and uncompressed", async () => {
  const db_url = await emptyDatabase();
  await open(db_url);
  const columns = await query<{ name: string; storage: string }>(
    db_url,
    `select attname as name, attstorage as storage from pg_attribute
     where attrelid = 'stored_steps'::regclass and attnum > 0 order by attnum`,
  );
  expect(columns.map(({ name }) => name).join(" ")).toBe(
    "id request_id session_id model step_id status_code env_name job_id group_id step_reward reward " +
      "is_trainable is_terminal is_truncated is_session_completed created_at messages_base " +
      "messages_shared meta_json request response messages",
  );
  const plain = columns.filter(({ storage }) => storage === "e").map(({ name }) => name);
  expect(plain).toEqual(["request", "response", "messages"]);
});

test("a schema that is newer than the program is a start error", async () => {
  const db_url = await emptyDatabase();
  await (await open(db_url)).close();
  await query(db_url, "update storage_info set schema_version = 1000");
  await expect(open(db_url)).rejects.toThrow(StoreSchemaError);
  await expect(open(db_url)).rejects.toThrow(/schema version 1000/);
});

test("every way to be unreachable has its own message, without a password", async () => {
  const db_url = await emptyDatabase();
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(db_url);
    change(url);
    return url.href;
  };
  const silent = createServer(() => {});
  await using listening = await listen(silent);
  const ways: readonly (readonly [string, RegExp])[] = [
    [changed((url) => (url.port = "1")), /refuses connections.*host and port/],
    [changed((url) => (url.hostname = "nowhere.invalid")), /cannot be found/],
    [changed((url) => (url.username = "nobody")), /refuses this user: check user, password/],
    [changed((url) => (url.pathname = "/nothing")), /does not exist: create it/],
    [changed((url) => url.searchParams.set("sslmode", "verify-full")), /does not speak TLS/],
    [changed((url) => (url.port = String(listening.port))), /in time/],
  ];
  for (const [url, words] of ways) {
    const failed: unknown = await open(url).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreUnavailableError);
    expect(String(failed)).toMatch(words);
    expect(String(failed)).not.toContain(new URL(url).password);
  }
});

test("a URL of another kind is not repeated, because it may hold a password", async () => {
  await expect(open("mysql://me:secret@host/db")).rejects.toThrow(/but is mysql:\/\/…$/);
});

test("a database that is read-only is not ready", async () => {
  const db_url = await emptyDatabase();
  const url = new URL(db_url);
  await (await open(db_url)).close();
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  const store = await open(url.href);
  await expect(store.ping()).rejects.toThrow(/read-only: connect to the primary/);
});

test("a closed store refuses, and closing again does nothing", async () => {
  const store = await open(await emptyDatabase());
  await store.ping();
  await store.close();
  await store.close();
  await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
});
