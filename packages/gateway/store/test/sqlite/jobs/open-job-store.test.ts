import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Worker } from "node:worker_threads";
import { StoreSchemaError, StoreUnavailableError } from "@proj/database";
import { expect, onTestFinished, test } from "vitest";
import { openJobStore } from "../../../src/open-job-store.ts";
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

test("the time that a launcher itself waits for the lock is not another one's silence", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file);
  const job_id = newJobId();
  await jobs.addSimulations(job_id, simulations(1));
  await jobs.claim({ job_id, owner: "me", limit: 1 });
  const other = connectTo(file);
  // Silent for 29 of the 30 seconds that are allowed.
  other.exec(`begin immediate; update job_environments
    set heartbeat_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-29 seconds')`);
  const asked = jobs.interruptStale(job_id, 30_000);
  const isSilentForLonger = other.prepare<[], number>(
    "select heartbeat_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 seconds') from job_environments",
  );
  await expect.poll(() => isSilentForLonger.pluck().get(), { timeout: 10_000 }).toBe(1);
  other.exec("commit");
  expect(await asked).toEqual([]);
  expect(await jobs.interruptStale(job_id, 30_000)).toHaveLength(1);
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
