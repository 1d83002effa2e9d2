import { StoreReplacedError } from "@proj/database";
import { startTcpProxy } from "@proj/test-kit";
import { type PostgresServer, startPostgresServer } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../src/postgres/open-postgres-store.ts";
import type { SessionStore } from "../../src/store.ts";
import { newSession, soon } from "../temporary-database.ts";

async function startServer(
  options: Parameters<typeof startPostgresServer>[0] = {},
): Promise<PostgresServer> {
  const server = await startPostgresServer(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function execute({ url }: PostgresServer, ...statements: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}

/** A store behind an address that stays when another server takes the first one's place. */
async function storeBehindAddress(server: PostgresServer): Promise<{
  readonly store: SessionStore;
  wentBack(): number;
  lead(to: PostgresServer): void;
}> {
  const proxy = await startTcpProxy(server.port);
  const url = new URL(server.url);
  url.port = String(proxy.port);
  let wentBack = 0;
  const store = await openPostgresStore({
    db_url: url.href,
    onWentBack: () => {
      wentBack += 1;
    },
  });
  onTestFinished(async () => {
    await store.close();
    await proxy[Symbol.asyncDispose]();
  });
  return {
    store,
    wentBack: () => wentBack,
    lead: ({ port }) => {
      proxy.cut();
      proxy.mend(port);
    },
  };
}

/** The server, restarted, and a standby that follows it. */
async function withStandby(server: PostgresServer): Promise<PostgresServer> {
  await server.stop();
  const standby = await startServer({ copyOf: server, isStandby: true });
  await server.start();
  const replicas = (): Promise<unknown[]> =>
    execute(server, "select state from pg_stat_replication where state = 'streaming'");
  await expect.poll(replicas, { timeout: 20_000 }).toHaveLength(1);
  return standby;
}

const promote = (standby: PostgresServer): Promise<unknown> =>
  execute(standby, "select pg_promote()");

const caughtUp = async (server: PostgresServer): Promise<void> => {
  const behind = (): Promise<unknown[]> =>
    execute(
      server,
      "select 1 from pg_stat_replication where replay_lsn >= pg_current_wal_flush_lsn()",
    );
  await expect.poll(behind, { timeout: 20_000 }).toHaveLength(1);
};

/** Retried while connections break. */
const untilReady = (store: SessionStore): Promise<void> =>
  expect.poll(() => store.ping().then(() => "ready", String), { timeout: 20_000 }).toBe("ready");

test("a standby promoted without the last rows: no earlier binding counts, and the next rows are whole", async () => {
  const server = await startServer();
  const { store, lead, wentBack } = await storeBehindAddress(server);
  const standby = await withStandby(server);
  await untilReady(store);
  const kept = newSession(store);
  const { epoch } = await store.bindSession(kept.session_id);
  await store.writeSteps([kept.row(1, { epoch })], soon());
  await caughtUp(server);
  await execute(standby, "alter system set primary_conninfo = ''", "select pg_reload_conf()");
  const following = (): Promise<unknown[]> => execute(server, "select 1 from pg_stat_replication");
  await expect.poll(following, { timeout: 20_000 }).toEqual([]);
  // Acknowledged, and lost with the server.
  const lost = newSession(store);
  const binding = await store.bindSession(lost.session_id);
  await store.writeSteps([kept.row(2, { epoch }), lost.row(1, binding)], soon());
  await server.stop();
  await promote(standby);
  lead(standby);

  await untilReady(store);
  expect(wentBack()).toBe(1);
  const old = [kept.row(3, { epoch }), lost.row(2, binding)];
  expect((await store.writeSteps(old, soon())).map(({ stored }) => stored)).toEqual([
    "moved",
    "moved",
  ]);
  expect((await store.readBinding(kept.session_id))?.epoch).not.toBe(epoch);
  expect(await store.readBinding(lost.session_id)).toBeNull();
  const again = await store.bindSession(kept.session_id);
  expect((await store.readSession(kept.session_id)).models).toMatchObject([{ steps: 1 }]);
  await store.writeSteps([kept.row(2, again)], soon());
  expect((await kept.steps()).map(({ step_id }) => step_id)).toEqual([1, 2]);
  expect(wentBack()).toBe(1);
}, 120_000);

test("a synchronous standby lacks nothing: sessions go on as if nothing had happened", async () => {
  const server = await startServer();
  const { store, lead, wentBack } = await storeBehindAddress(server);
  const standby = await withStandby(server);
  await execute(
    server,
    "alter system set synchronous_standby_names = 'standby'",
    "select pg_reload_conf()",
  );
  await untilReady(store);
  const { session_id, row, steps } = newSession(store);
  const binding = await store.bindSession(session_id);
  for (const step_id of [1, 2, 3]) await store.writeSteps([row(step_id, binding)], soon());
  await server.stop();
  await promote(standby);
  await execute(
    standby,
    "alter system set synchronous_standby_names = ''",
    "select pg_reload_conf()",
  );
  lead(standby);
  await untilReady(store);
  expect(await store.writeSteps([row(4, binding)], soon())).toMatchObject([{ stored: "whole" }]);
  expect((await steps()).map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4]);
  expect(wentBack()).toBe(0);
}, 120_000);

test("a backup that was restored is noticed by whatever is done first", async () => {
  const server = await startServer();
  const { store, lead, wentBack } = await storeBehindAddress(server);
  const { session_id, row } = newSession(store);
  const binding = await store.bindSession(session_id);
  await store.writeSteps([row(1, binding)], soon());
  await server.stop();
  const backups = [
    await startServer({ copyOf: server }),
    await startServer({ copyOf: server }),
    await startServer({ copyOf: server }),
  ];
  await server.start();
  await untilReady(store);
  await store.writeSteps([row(2, binding)], soon());

  const first = [
    () => store.writeSteps([row(3, binding)], soon()),
    () => store.readBinding(session_id),
    () => store.bindSession(session_id),
  ];
  for (const [index, use] of first.entries()) {
    const backup = backups[index];
    if (backup === undefined) throw new Error("There is a backup for each.");
    lead(backup);
    await expect.poll(() => use().then(() => "done", String), { timeout: 20_000 }).toBe("done");
    expect(wentBack()).toBe(index + 1);
    // For the next one, this is what the next backup has lost.
    const now = await store.bindSession(session_id);
    await store.writeSteps([row(4, { ...now, request_id: `${session_id}-${index}` })], soon());
  }
}, 120_000);

test("another database in its place is neither written nor read, and the right one is used again", async () => {
  const server = await startServer();
  const { store, lead, wentBack } = await storeBehindAddress(server);
  const { session_id, row, steps } = newSession(store);
  const binding = await store.bindSession(session_id);
  await store.writeSteps([row(1, binding)], soon());
  const other = await startServer();
  await (await openPostgresStore({ db_url: other.url })).close();
  lead(other);
  const said = (use: () => Promise<unknown>): Promise<unknown> =>
    expect
      .poll(() => use().catch((error: unknown) => error), { timeout: 20_000 })
      .toBeInstanceOf(StoreReplacedError);
  await said(() => store.writeSteps([row(2, binding)], soon()));
  await said(() => store.bindSession(session_id));
  await said(() => store.closeSession(session_id));
  await said(() => store.ping());
  expect(await execute(other, "select * from session_owners")).toEqual([]);
  expect(await execute(other, "select * from stored_steps")).toEqual([]);

  lead(server);
  await untilReady(store);
  expect(await store.writeSteps([row(2, binding)], soon())).toMatchObject([{ stored: "whole" }]);
  expect((await steps()).map(({ step_id }) => step_id)).toEqual([1, 2]);
  expect(wentBack()).toBe(0);
}, 120_000);
