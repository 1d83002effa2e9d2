import { monotonicMs, StoreUnavailableError } from "@proj/database";
import { startPostgresServer } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { PostgresStoreOptions } from "../../src/postgres/connect.ts";
import { openPostgresStore } from "../../src/postgres/open-postgres-store.ts";
import type { SessionStore } from "../../src/store.ts";
import { newSession, sharedDatabase, soon } from "../temporary-database.ts";

const database = sharedDatabase();

async function open(options: PostgresStoreOptions): Promise<SessionStore> {
  const store = await openPostgresStore(options);
  onTestFinished(() => store.close());
  return store;
}

async function connect(db_url: string): Promise<Client> {
  const client = new Client({ connectionString: db_url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("a server that stops is reported as unavailable, and is used again when it is back", async () => {
  await using server = await startPostgresServer();
  const store = await openPostgresStore({ db_url: server.url, connect_timeout_s: 2 });
  const { row, steps } = newSession(store);
  await store.writeSteps([row(1)], soon());
  await server.stop();
  await expect(store.writeSteps([row(2)], soon())).rejects.toThrow(StoreUnavailableError);
  await expect(store.ping()).rejects.toThrow(/refuses connections/);
  await server.start();
  await store.ping();
  expect(await store.writeSteps([row(1), row(2)], soon())).toHaveLength(2);
  expect((await steps()).map(({ step_id }) => step_id)).toEqual([1, 2]);
  await store.close();
});

test("a connection that breaks during use is reported as unavailability, and the next one is new", async () => {
  const { db_url } = database;
  const store = await open({ db_url, pool_size: 1 });
  const { row, steps } = newSession(store);
  await store.writeSteps([row(1)], soon());
  const other = await connect(db_url);
  await other.query("begin; lock table stored_steps in exclusive mode");
  const refused = expect(store.writeSteps([row(2)], soon())).rejects.toThrow(
    /shutting down|broke off/,
  );
  await expect
    .poll(async () => {
      const { rows } = await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length;
    })
    .toBe(1);
  await refused;
  await other.query("commit");
  await store.writeSteps([row(2)], soon());
  expect((await steps()).map(({ step_id }) => step_id)).toEqual([1, 2]);
});

test("a server that does not answer is abandoned at the deadline, and its late work does no harm", async () => {
  const { db_url } = database;
  const store = await open({ db_url });
  const { row, steps } = newSession(store);
  const other = await connect(db_url);
  await other.query("begin; lock table stored_steps in exclusive mode");
  const hanging = store.writeSteps([row(1)], { deadline: monotonicMs() + 200 });
  await expect(hanging).rejects.toThrow(/did not answer in time/);
  await other.query("commit");
  expect(await store.writeSteps([row(1)], soon())).toMatchObject([{ step_id: 1, stored: "whole" }]);
  expect(await steps()).toHaveLength(1);
});

test("a server without a free connection says so, and takes the rows when it has one", async () => {
  await using server = await startPostgresServer({ maxConnections: 5 });
  const store = await openPostgresStore({ db_url: server.url, pool_size: 1 });
  await store.ping();
  const others: Client[] = [];
  const administrator = new Client({ connectionString: server.url });
  await administrator.connect();
  // The last places are reserved for administrators: an ordinary user reaches the limit before that.
  await administrator.query(
    "create role app login password 'app'; grant all on database postgres to app; grant pg_read_all_data to app",
  );
  const url = new URL(server.url);
  url.username = url.password = "app";
  for (let full = false; !full; ) {
    const client = new Client({ connectionString: url.href });
    client.on("error", () => {});
    await client.connect().then(
      () => others.push(client),
      () => {
        full = true;
      },
    );
  }
  const opening = openPostgresStore({ db_url: url.href });
  await expect(opening).rejects.toThrow(/no connection left.*pool_size/);
  for (const client of others) await client.end();
  await administrator.end();
  await store.close();
});

test("nothing is written after the deadline", async () => {
  const { row, steps } = newSession(database.store);
  const late = database.store.writeSteps([row(1)], { deadline: monotonicMs() - 1 });
  await expect(late).rejects.toMatchObject({ name: "StoreUnavailableError", writerDied: false });
  expect(await steps()).toEqual([]);
});

test("a row with bytes that PostgreSQL cannot hold as text loses its payload, and says so", async () => {
  const { row, steps } = newSession(database.store);
  const rows = [
    row(1, { response: Uint8Array.of(0x22, 0x00, 0x22) }),
    row(2),
    row(3, { response: Uint8Array.of(0x22, 0xff, 0x22) }),
  ];
  const written = await database.store.writeSteps(rows, soon());
  expect(written.map(({ stored }) => stored)).toEqual([
    "without_payload",
    "whole",
    "without_payload",
  ]);
  const [first, second, third] = await steps();
  expect(second?.response).toBe('{"id":"answer"}');
  for (const step of [first, third]) {
    expect(step?.response).toBeNull();
    expect(JSON.parse(step?.meta_json ?? "").capture_error).toMatch(/invalid byte sequence/);
  }
});
