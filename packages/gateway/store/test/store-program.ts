/** A program that tests run in its own process: `store-program.ts <command> <file> [owner]`. It talks in lines. */
import { once } from "node:events";
import { monotonicMs, StoreUnavailableError } from "@proj/database";
import { openSqliteJobStore } from "../src/sqlite/open-sqlite-job-store.ts";
import { openSqliteStore } from "../src/sqlite/open-sqlite-store.ts";
import type { SessionStore, StepRow } from "../src/store.ts";

const [command, file = "", owner = ""] = process.argv.slice(2);
const payload = new Uint8Array(64 * 1024).fill(0x61);

const step = (step_id: number, request_id = `request-${step_id}`): StepRow => ({
  request_id,
  session_id: "session-1",
  model: "policy",
  step_id,
  epoch: null,
  status_code: 200,
  env_name: null,
  job_id: null,
  group_id: null,
  created_at: new Date().toISOString(),
  meta_json: "{}",
  request: null,
  response: payload,
  messages: null,
  history: null,
});
const write = (store: SessionStore, rows: readonly StepRow[]) =>
  store.writeSteps(rows, { deadline: monotonicMs() + 10_000 });

const commands: Readonly<Record<string, () => Promise<void>>> = {
  /** Writes batches of three until it is killed, and prints the largest stored step. */
  async write() {
    const store = await openSqliteStore({ db_url: `sqlite://${file}` });
    for (let step_id = 1; ; step_id += 3) {
      await write(store, [step(step_id), step(step_id + 1), step(step_id + 2)]);
      console.log(step_id + 2);
    }
  },

  /** Writes a step whenever it is told to; prints when it has set a deadline, and when the step is stored. */
  async writeWhenTold() {
    const store = await openSqliteStore({ db_url: `sqlite://${file}` });
    console.log("open");
    for (let step_id = 1; ; step_id += 1) {
      await once(process.stdin, "data");
      const deadline = monotonicMs() + 10_000;
      console.log("begun");
      await store.writeSteps([step(step_id)], { deadline });
      console.log("stored");
    }
  },

  /** Writes one step, and prints the database's id. */
  async open() {
    const store = await openSqliteStore({ db_url: `sqlite://${file}` });
    await write(store, [step(1, `request-of-${process.pid}`)]);
    await store.close();
    console.log(store.storage_id);
  },

  /** Opens the database as a launcher does, and prints its id. */
  async openJobs() {
    const jobs = await openSqliteJobStore({ db_url: `sqlite://${file}` });
    await jobs.close();
    console.log(jobs.storage_id);
  },

  /** Prints why the database cannot be opened. */
  async fail() {
    const error = await openSqliteStore({ db_url: `sqlite://${file}` }).catch((reason) => reason);
    console.log(String(error));
  },

  /** Prints why a launcher cannot open the database. */
  async failJobs() {
    const error = await openSqliteJobStore({ db_url: `sqlite://${file}` }).catch(
      (reason) => reason,
    );
    console.log(String(error));
  },

  /** Claims the job's attempts one by one, and prints each. */
  async claim() {
    const jobs = await openSqliteJobStore({ db_url: `sqlite://${file}` });
    for (let rows = 1; rows > 0; ) {
      const claimed = await jobs.claim({ job_id: "job", owner, limit: 1 });
      for (const { simulation_id } of claimed) console.log(simulation_id);
      rows = claimed.length;
    }
    await jobs.close();
  },

  /** Commits a reward for each running attempt of the job, and prints which. */
  async reward() {
    const jobs = await openSqliteJobStore({ db_url: `sqlite://${file}` });
    const running = { job_id: "job", status: "running", limit: 1000 } as const;
    for (const { session_id } of (await jobs.readEnvironments(running)).environments) {
      const key = { session_id, owner, model: "policy", step_id: 1 };
      const texts = { evaluation: "{}", result: "{}" };
      await jobs.commitReward({ ...key, ...texts, reward: 1, is_truncated: false });
      console.log(session_id);
    }
    await jobs.close();
  },

  /** Writes until the disk is full, says so, and continues when there is room: 100 steps in all. */
  async fill() {
    const store = await openSqliteStore({ db_url: `sqlite://${file}` });
    for (let step_id = 1; step_id <= 100; step_id += 1) {
      while (!(await isWritten(store, step_id))) await once(process.stdin, "data");
    }
    await store.close();
    console.log("done");
    process.exit();
  },
};

async function isWritten(store: SessionStore, step_id: number): Promise<boolean> {
  try {
    await write(store, [step(step_id)]);
    return true;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    console.log(`no room for ${step_id}: ${error.message}`);
    return false;
  }
}

await commands[command ?? ""]?.();
