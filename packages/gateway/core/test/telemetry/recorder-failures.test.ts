import type { Worker } from "node:worker_threads";
import { type SessionStore, StoreUnavailableError } from "@proj/session-store";
import { waitFor } from "@proj/test-kit";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { freeBytes } from "../../src/call/body-memory.ts";
import { openRecorder, row, storeWith } from "./open-recorder.ts";
import { holdWriteLock } from "./write-lock.ts";

const failing = (message: string, writerDied = false) =>
  new StoreUnavailableError(message, { writerDied });

test("a batch that could not be written is retried until it is, and stored once", async () => {
  const { recorder, events, databasePath, stored } = await openRecorder({ write_timeout_s: 0.1 });
  const lock = holdWriteLock(databasePath);
  const steps = [recorder.record(row(1)), recorder.record(row(2))];
  await waitFor(() => events.retries >= 2, "two attempts to fail");
  // On a busy machine the writer may not even find out within the time that it has.
  expect(recorder.failure?.message).toMatch(/locked|did not answer in time/);
  lock.release();
  await Promise.all(steps.map((step) => step.written.promise()));
  await waitFor(() => recorder.failure === null, "the recorder to recover");
  expect(events).toMatchObject({ unavailable: 1, recovered: 1, lost: [], commits: [2] });
  expect((await stored()).map(({ step_id }) => step_id)).toEqual([1, 2]);
});

test("with nothing to write, storage is probed until it can be written again", async () => {
  let isDown = true;
  const { recorder, events } = await openRecorder({}, (store) =>
    storeWith(store, {
      writeSteps: (rows, options) =>
        isDown ? Promise.reject(failing("the disk is full")) : store.writeSteps(rows, options),
      ping: () => (isDown ? Promise.reject(failing("the disk is full")) : store.ping()),
    }),
  );
  const step = recorder.record(row(1));
  await waitFor(() => recorder.failure !== null, "the failure");
  expect(() => recorder.reserve(1)).toThrow(/cannot be written: the disk is full/);
  isDown = false;
  await step.written.promise();
  await waitFor(() => recorder.failure === null, "the recovery");
  expect(events).toMatchObject({ unavailable: 1, recovered: 1 });
  recorder.reserve(1)();
});

test("a commit whose acknowledgement was lost is not written twice", async () => {
  let sent = 0;
  const { recorder, events, stored } = await openRecorder({}, (store) =>
    storeWith(store, {
      writeSteps: async (rows, options) => {
        const written = await store.writeSteps(rows, options);
        if (++sent === 1) throw failing("the acknowledgement was lost");
        return written;
      },
    }),
  );
  await recorder.record(row(1)).written.promise();
  expect(sent).toBe(2);
  expect(events.commits).toEqual([1]);
  expect(await stored()).toHaveLength(1);
});

test("a row amended after an unacknowledged commit is stored as amended", async () => {
  let sent = 0;
  const amended = Promise.withResolvers<void>();
  const { recorder, stored } = await openRecorder({}, (store) =>
    storeWith(store, {
      writeSteps: async (rows, options) => {
        if (++sent === 2) await amended.promise;
        const written = await store.writeSteps(rows, options);
        if (sent === 1) throw failing("the acknowledgement was lost");
        return written;
      },
    }),
  );
  const step = recorder.record(row(1));
  await waitFor(() => sent === 2, "the second attempt");
  expect(await stored()).toMatchObject([{ status_code: 200 }]);
  const meta_json = JSON.stringify({ status_code: 503, outcome: "not_delivered" });
  recorder.amend(step, 503, meta_json);
  amended.resolve();
  await waitFor(async () => (await stored())[0]?.status_code === 503, "the amendment");
  expect(await stored()).toMatchObject([{ status_code: 503, meta_json }]);
});

test("a row amended while it is being committed is stored as amended", async () => {
  const { recorder, databasePath, stored } = await openRecorder();
  const lock = holdWriteLock(databasePath);
  const messages = Buffer.allocUnsafeSlow(20_000).fill(" ").fill("[]", 0, 2);
  const step = recorder.record(row(1, { messages }));
  await waitFor(() => step.inFlight, "the commit to begin");
  recorder.amend(step, 503, JSON.stringify({ status_code: 503 }));
  lock.release();
  // The body's memory goes with the commit, before the amendment is written.
  step.written.when(() => freeBytes(messages));
  await waitFor(async () => (await stored())[0]?.status_code === 503, "the amendment");
  expect(await stored()).toHaveLength(1);
});

test("rows held by a killed writer are written once", async () => {
  const workers: Worker[] = [];
  const keep = (worker: Worker) => void workers.push(worker);
  process.on("worker", keep);
  onTestFinished(() => void process.off("worker", keep));
  const { recorder, events, databasePath, stored } = await openRecorder();
  const [writer] = workers;
  const other = new Database(databasePath, { timeout: 30_000 });
  onTestFinished(() => void other.close());
  // Keeps the writer in the middle of its transaction until it is observed there.
  other.exec(
    `create trigger slow before insert on stored_steps when new.step_id = 2 begin
       select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n limit 3000000) select i from n);
     end`,
  );
  const steps = [1, 2, 3].map((step_id) => recorder.record(row(step_id)));
  other.pragma("busy_timeout = 0");
  await waitFor(() => isLocked(other), "the writer to be in its transaction");
  await writer?.terminate();
  other.pragma("busy_timeout = 10000");
  other.exec("drop trigger slow");
  await Promise.all(steps.map((step) => step.written.promise()));
  expect(events.lost).toEqual([]);
  // The killed thread leaves its transaction once its statement has ended, and each attempt until then is one more.
  expect(events.retries).toBeGreaterThanOrEqual(1);
  const rows = await stored();
  expect(rows.map(({ step_id }) => step_id)).toEqual([1, 2, 3]);
  expect(rows.every(({ response }) => response !== null)).toBe(true);
});

/** A store whose writer dies of a row as long as the row has its payload. */
function dyingOf(poison: string, seen: string[][]): (store: SessionStore) => SessionStore {
  return (store) =>
    storeWith(store, {
      writeSteps: (rows, options) => {
        seen.push(rows.map(({ request_id }) => request_id));
        const kills = rows.some((each) => each.request_id === poison && each.response !== null);
        return kills
          ? Promise.reject(failing("the writer died", true))
          : store.writeSteps(rows, options);
      },
    });
}

test("a row present at two deaths of the writer loses its payload, and others keep theirs", async () => {
  const seen: string[][] = [];
  const { recorder, stored } = await openRecorder({}, dyingOf("request-2", seen));
  const steps = [1, 2, 3].map((step_id) => recorder.record(row(step_id)));
  await Promise.all(steps.map((step) => step.written.promise()));
  expect(seen).toEqual([
    ["request-1", "request-2", "request-3"],
    ["request-1"],
    ["request-2"],
    ["request-2"],
    ["request-3"],
  ]);
  const [first, second, third] = await stored();
  expect(first?.response).not.toBeNull();
  expect(third?.response).not.toBeNull();
  expect(second).toMatchObject({ status_code: 200, request: null, response: null, messages: null });
  expect(JSON.parse(second?.meta_json ?? "")).toMatchObject({
    outcome: "completed",
    capture_error: "the writer died twice with this row",
  });
});

test("a row refused for its content is stored without its payload, and holds up no other", async () => {
  const { recorder, events, stored } = await openRecorder({}, (store) =>
    storeWith(store, {
      writeSteps: (rows, options) =>
        rows.some(({ request_id, response }) => request_id === "request-2" && response !== null)
          ? Promise.reject(new RangeError("too large"))
          : store.writeSteps(rows, options),
    }),
  );
  const steps = [1, 2, 3].map((step_id) => recorder.record(row(step_id)));
  await Promise.all(steps.map((step) => step.written.promise()));
  expect(events).toMatchObject({ lost: [], unavailable: 0 });
  const [first, second, third] = await stored();
  expect(first?.response).not.toBeNull();
  expect(third?.response).not.toBeNull();
  expect(second?.response).toBeNull();
  expect(JSON.parse(second?.meta_json ?? "").capture_error).toMatch(/too large/);
});

test("a row refused even without its payload is lost and counted, and holds up no other", async () => {
  const { recorder, events, stored } = await openRecorder({}, (store) =>
    storeWith(store, {
      writeSteps: (rows, options) =>
        rows.some(({ request_id }) => request_id === "request-2")
          ? Promise.reject(new Error("no"))
          : store.writeSteps(rows, options),
    }),
  );
  const steps = [1, 2, 3].map((step_id) => recorder.record(row(step_id)));
  const written = await Promise.all(steps.map((step) => step.written.promise()));
  expect(written[1]).toBeNull();
  expect(events.lost).toEqual([{ session_id: "session", reason: "refused" }]);
  expect((await stored()).map(({ step_id }) => step_id)).toEqual([1, 3]);
});

function isLocked(database: Database.Database): boolean {
  try {
    database.exec("begin immediate; rollback");
    return false;
  } catch {
    return true;
  }
}
