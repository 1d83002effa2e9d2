import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { largeRow, openRecorder, row } from "./open-recorder.ts";
import { holdWriteLock } from "./write-lock.ts";

const mebibyte = 1024 * 1024;

test("a row that finds the writer idle is committed at once, alone", async () => {
  const { recorder, events, stored } = await openRecorder({ flush_interval_ms: 60_000 });
  expect(await recorder.record(row(1)).written.promise()).toMatchObject({
    step_id: 1,
    stored: "whole",
  });
  expect(await stored()).toMatchObject([{ request_id: "request-1", status_code: 200 }]);
  await recorder.record(row(2)).written.promise();
  expect(events.commits).toEqual([1, 1]);
});

test("rows of the same turn share a commit", async () => {
  const { recorder, events, stored } = await openRecorder();
  const steps = [1, 2, 3].map((step_id) => recorder.record(row(step_id)));
  await Promise.all(steps.map((step) => step.written.promise()));
  expect(events.commits).toEqual([3]);
  expect((await stored()).map(({ step_id }) => step_id)).toEqual([1, 2, 3]);
});

test("rows that arrive during a commit share the next one", async () => {
  const { recorder, events, databasePath } = await openRecorder();
  const lock = holdWriteLock(databasePath);
  const first = recorder.record(row(1));
  await waitFor(() => first.inFlight, "the first commit to begin");
  const others = [2, 3, 4].map((step_id) => recorder.record(row(step_id)));
  lock.release();
  await Promise.all(others.map((step) => step.written.promise()));
  expect(events.commits).toEqual([1, 3]);
});

test("a batch ends at batch_size", async () => {
  const { recorder, events, databasePath, stored } = await openRecorder({ batch_size: 2 });
  const lock = holdWriteLock(databasePath);
  const first = recorder.record(row(1));
  await waitFor(() => first.inFlight, "the first commit to begin");
  const others = [2, 3, 4, 5, 6].map((step_id) => recorder.record(row(step_id)));
  lock.release();
  await Promise.all(others.map((step) => step.written.promise()));
  expect(events.commits).toEqual([1, 2, 2, 1]);
  expect((await stored()).map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a batch ends at 8 MiB, and a row that is larger goes alone", async () => {
  const { recorder, events, databasePath } = await openRecorder();
  const lock = holdWriteLock(databasePath);
  const first = recorder.record(row(1));
  await waitFor(() => first.inFlight, "the first commit to begin");
  const sizes = [3, 3, 3, 9, 3];
  const others = sizes.map((size, index) => recorder.record(largeRow(index + 2, size * mebibyte)));
  expect(recorder.bytes).toBeGreaterThan(21 * mebibyte);
  lock.release();
  await Promise.all(others.map((step) => step.written.promise()));
  expect(events.commits).toEqual([1, 2, 1, 1, 1]);
  expect(recorder).toMatchObject({ rows: 0, bytes: 0 });
});

test("under best effort rows are collected for the flush interval", async () => {
  const { recorder, events } = await openRecorder({ mode: "best_effort", flush_interval_ms: 300 });
  const steps = [];
  for (let step_id = 1; step_id <= 3; step_id++) {
    steps.push(recorder.record(row(step_id)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(events.commits).toEqual([]);
  await Promise.all(steps.map((step) => step.written.promise()));
  expect(events.commits).toEqual([3]);
});

test("under best effort a full batch does not wait for the flush interval", async () => {
  const config = { mode: "best_effort", flush_interval_ms: 60_000, batch_size: 3 } as const;
  const { recorder, events } = await openRecorder(config);
  const steps = [1, 2, 3].map((step_id) => recorder.record(row(step_id)));
  await Promise.all(steps.map((step) => step.written.promise()));
  expect(events.commits).toEqual([3]);
});

test("waiting for a session's rows skips the flush interval", async () => {
  const config = { mode: "best_effort", flush_interval_ms: 60_000, batch_size: 2 } as const;
  const { recorder, events, databasePath } = await openRecorder(config);
  const lock = holdWriteLock(databasePath);
  const first = recorder.record(row(1, { session_id: "other" }));
  recorder.record(row(2, { session_id: "other" }));
  await waitFor(() => first.inFlight, "the first commit to begin");
  recorder.record(row(3));
  const drained = recorder.drained("session");
  lock.release();
  await drained;
  expect(recorder.hasRows("session")).toBe(false);
  expect(events.commits).toEqual([2, 1]);
});

test("closing writes waiting rows at once", async () => {
  const config = { mode: "best_effort", flush_interval_ms: 60_000 } as const;
  const { recorder, events } = await openRecorder(config);
  recorder.record(row(1));
  await recorder.close(10_000);
  expect(events.commits).toEqual([1]);
});

test("closing with nothing to write does not wait for a locked database", async () => {
  const { recorder, events, databasePath } = await openRecorder();
  using _lock = holdWriteLock(databasePath);
  await recorder.close(60_000);
  expect(events).toMatchObject({ retries: 0, unavailable: 0 });
});

test("closing gives up rows that cannot be written in time, and counts them", async () => {
  const { recorder, events, databasePath } = await openRecorder();
  using _lock = holdWriteLock(databasePath);
  const steps = [recorder.record(row(1)), recorder.record(row(2))];
  await recorder.close(50);
  expect(await Promise.all(steps.map((step) => step.written.promise()))).toEqual([null, null]);
  const lost = { session_id: "session", reason: "shutdown" };
  expect(events.lost).toEqual([lost, lost]);
  expect(recorder.lostRows).toBe(2);
});
