import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Worker } from "node:worker_threads";
import { StoreSchemaError, StoreUnavailableError } from "@proj/database";
import { compileMigrations } from "@proj/database/queries";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../../src/migrations/migrations.ts";
import { openJobStore } from "../../../src/open-job-store.ts";
import { sqliteSource } from "../../../src/sqlite/sqlite-source.ts";
import { connectTo, openStoreOf, temporaryFile } from "../../temporary-database.ts";
import { attemptsOf, newJobId, openJobsOf, simulations } from "../../temporary-jobs.ts";

const configuration = (file: string) => ({
  storage_type: "sqlite" as const,
  storage_config: { db_url: `sqlite://${file}` },
});

test("gateway and launcher open one database with the same configuration", async () => {
  const file = join(dirname(await temporaryFile()), "deep", "down", "gateway.db");
  const jobs = await openJobStore(configuration(file));
  onTestFinished(() => jobs.close());
  const store = await openStoreOf(file);
  expect(jobs.storage_type).toBe("sqlite");
  expect(jobs.storage_id).toBe(store.storage_id);
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(1));
  const [claimed] = await jobs.claim({ job_id, owner: "me", limit: 1 });
  expect(await store.findEnvironments([claimed?.session_id ?? ""])).toEqual([claimed]);
});

test("a database of the first version is updated, and keeps its rows", async () => {
  const file = await temporaryFile();
  const other = connectTo(file);
  const [firstTables] = compileMigrations(migrations, sqliteSource);
  for (const { sql } of firstTables ?? []) other.exec(sql);
  other.exec(`
    create table storage_info (storage_id text primary key, schema_version integer, created_at text);
    insert into storage_info values ('the-id', 1, '2026-01-02T03:04:05.678Z');
    insert into job_environments (session_id, job_id, simulation_id, attempt, created_at)
    values ('session-1', 'old', 'sim-001', 1, '2026-01-02T03:04:05.678Z');
    insert into job_environments
      (session_id, job_id, simulation_id, attempt, group_id, status, created_at, finished_at)
    values ('s2', 'over', 'b', 1, 'late', 'finished', '2026', '2026-03'),
      ('s3', 'over', 'a', 1, 'early', 'failed', '2026', '2026-02'),
      ('s4', 'over', 'c', 1, null, 'finished', '2026', '2026-01'),
      ('s5', 'over', 'd', 1, 'open', 'finished', '2026', '2026-01'),
      ('s6', 'over', 'e', 1, 'open', 'pending', '2026', null);
    insert into session_steps (request_id, session_id, model, step_id, status_code, created_at,
      meta_json, request, response, messages)
    values ('request-1', 'session-1', 'policy', 1, 200, '2026-01-02T03:04:05.678Z',
      '{"status_code":200}', '{"model":"policy"}', '{"id":"answer"}', '["hello"]')`);
  const jobs = await openJobsOf(file);
  expect(jobs.storage_id).toBe("the-id");
  expect(other.prepare("select schema_version from storage_info").pluck().get()).toBe(
    migrations.length,
  );
  const [claimed] = await jobs.claim({ job_id: "old", owner: "me", limit: 1 });
  expect(claimed?.session_id).toBe("session-1");
  const { groups } = (await jobs.readFeed({ job_id: "over" })) ?? { groups: [] };
  expect(groups.map(({ group_id }) => group_id)).toEqual([null, "early", "late"]);
  const { steps } = await jobs.readSteps({ session_id: "session-1" });
  expect(steps).toMatchObject([{ request: '{"model":"policy"}', messages: '["hello"]' }]);
  expect(other.prepare("select messages from session_steps").pluck().all()).toEqual(['["hello"]']);
});

test("an index alone finds the next attempts to claim, in order", async () => {
  const file = await temporaryFile();
  await openJobsOf(file);
  const details = connectTo(file)
    .prepare<[], { detail: string }>(
      `explain query plan select session_id from job_environments
       where job_id = 'j' and status = 'pending' order by created_at, session_id limit 5`,
    )
    .all()
    .map(({ detail }) => detail);
  expect(details).toEqual([
    "SEARCH job_environments USING COVERING INDEX job_environments_by_status (job_id=? AND status=?)",
  ]);
});

test("a URL of another kind is not repeated, because it may hold a password", async () => {
  const storage_config = { db_url: "postgres://me:secret@host/db" };
  const mistaken = openJobStore({ storage_type: "sqlite", storage_config });
  await expect(mistaken).rejects.toThrow(/db_url must name a file.* but is postgres:\/\/…$/);
});

test("a file that cannot be opened is refused as it is for the gateway", async () => {
  const text = await temporaryFile();
  await writeFile(text, "To be, or not to be: that is the question. ".repeat(100));
  const noDatabase = openJobStore(configuration(text));
  await expect(noDatabase).rejects.toThrow(StoreUnavailableError);
  await expect(noDatabase).rejects.toThrow(/gateway\.db is not an SQLite database/);

  const noFolder = openJobStore(configuration(`${text}/below/gateway.db`));
  await expect(noFolder).rejects.toThrow(StoreUnavailableError);
  await expect(noFolder).rejects.toThrow(/folder .*below of the database does not exist/);

  const newer = await temporaryFile();
  await (await openStoreOf(newer)).close();
  connectTo(newer).exec("update storage_info set schema_version = 1000");
  const tooNew = openJobStore(configuration(newer));
  await expect(tooNew).rejects.toThrow(StoreSchemaError);
  await expect(tooNew).rejects.toThrow(/schema version 1000/);
});

test("a long lock makes writes unavailable, while reads go on", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file, { busyTimeoutMs: 300 });
  const other = connectTo(file);
  other.exec("begin immediate");
  const refused = jobs.addSimulations("job", simulations(1));
  await expect(refused).rejects.toThrow(StoreUnavailableError);
  await expect(refused).rejects.toThrow(/gateway\.db: the database is locked by another process/);
  expect(await jobs.readJob("job")).toBeNull();
  other.exec("commit");
  expect(await jobs.addSimulations("job", simulations(1))).toBe(1);
});

test("closing waits for operations in progress, and nothing begins after it", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file);
  const added = jobs.addSimulations("job", simulations(3));
  await jobs.close();
  expect(await added).toBe(3);
  await expect(jobs.readJob("job")).rejects.toThrow(/store is closed/);
  await expect(jobs.readSteps({ session_id: "session" })).rejects.toThrow(StoreUnavailableError);
  await jobs.close();
});

test("a dead thread is replaced, and its unfinished call is refused as unavailable", async () => {
  const workers: Worker[] = [];
  const keep = (worker: Worker) => workers.push(worker);
  process.on("worker", keep);
  onTestFinished(() => {
    process.off("worker", keep);
  });
  const jobs = await openJobsOf(await temporaryFile());
  const [thread] = workers;
  await jobs.addSimulations("job", simulations(2));
  const refused = expect(jobs.claim({ job_id: "job", owner: "me", limit: 1 })).rejects.toThrow(
    StoreUnavailableError,
  );
  await thread?.terminate();
  await refused;
  // It is unknown whether the claim happened; nothing is lost either way.
  await jobs.addSimulations("job", simulations(3));
  const attempts = await attemptsOf(jobs, "job");
  expect(attempts.map(({ simulation_id }) => simulation_id)).toEqual([
    "sim-001",
    "sim-002",
    "sim-003",
  ]);
});
