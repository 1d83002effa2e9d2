import { monotonicMs, type SessionStore } from "@proj/session-store";
import { expect, test } from "vitest";
import { openRecorder, row, storeWith } from "../telemetry/open-recorder.ts";

/** A store whose writes end only when the test says so, and which records the deadline given to each. */
function slowStore() {
  const deadlines: number[] = [];
  const goOn = Promise.withResolvers<void>();
  const around = (store: SessionStore): SessionStore =>
    storeWith(store, {
      writeSteps: async (rows, options) => {
        deadlines.push(options.deadline);
        await goOn.promise;
        return store.writeSteps(rows, options);
      },
    });
  return { deadlines, goOn, around };
}

const inOneSecond = (): number => monotonicMs() + 1_000;

test("a batch is not committed past the first of its rows' deadlines", async () => {
  const { deadlines, goOn, around } = slowStore();
  const { recorder } = await openRecorder({}, around);
  const deadline = inOneSecond();
  const steps = [row(1), row(2), row(3)];
  const queued = steps.map((step, index) =>
    index === 1 ? recorder.record(step, deadline) : recorder.record(step),
  );
  await expect.poll(() => deadlines).toEqual([deadline]);
  goOn.resolve();
  await Promise.all(queued.map((step) => step.written.promise()));
});

test("rows of a session whose close is running out of time are not committed past that time", async () => {
  const { deadlines, goOn, around } = slowStore();
  const { recorder } = await openRecorder({ batch_size: 1 }, around);
  const first = recorder.record(row(1, { session_id: "other" }));
  await expect.poll(() => deadlines.length).toBe(1);
  const second = recorder.record(row(2));
  const deadline = inOneSecond();
  recorder.limit("session", deadline);
  goOn.resolve();
  await Promise.all([first.written.promise(), second.written.promise()]);
  expect(deadlines[1]).toBe(deadline);
  expect(deadlines[0]).toBeGreaterThan(deadline);
});

test("a commit that began before a row's deadline is waited for, even beyond it", async () => {
  const { deadlines, goOn, around } = slowStore();
  const { recorder } = await openRecorder({}, around);
  const step = recorder.record(row(1), monotonicMs() + 20);
  await expect.poll(() => deadlines.length).toBe(1);
  const ending = recorder.writtenInTime(step);
  await expect.poll(() => monotonicMs() > step.deadline).toBe(true);
  recorder.amend(step, 200, step.row.meta_json);
  goOn.resolve();
  // The store refuses late rows, and the batch is retried.
  expect(await ending).toBe("late");
  expect(await step.written.promise()).toMatchObject({ step_id: 1 });
});

test("a row past its deadline and not yet amended holds up no other", async () => {
  const { deadlines, goOn, around } = slowStore();
  const { recorder } = await openRecorder({ batch_size: 10 }, around);
  const first = recorder.record(row(1));
  await expect.poll(() => deadlines.length).toBe(1);
  const expired = recorder.record(row(2), monotonicMs() - 1);
  const last = recorder.record(row(3));
  goOn.resolve();
  expect(await first.written.promise()).toMatchObject({ step_id: 1 });
  expect(await last.written.promise()).toMatchObject({ step_id: 3 });
  expect(recorder.rows).toBe(1);
  recorder.amend(expired, 503, expired.row.meta_json);
  expect(await expired.written.promise()).toMatchObject({ step_id: 2 });
});
