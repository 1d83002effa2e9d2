import { expect, test } from "vitest";
import type { Recorder } from "../../src/telemetry/recorder.ts";
import type { QueuedStep } from "../../src/telemetry/step-queue.ts";
import { openRecorder, row } from "./open-recorder.ts";

/** Enough time for a batch that is not held back to be sent, without a timer's turn. */
async function microtasks(): Promise<void> {
  for (let count = 0; count < 50; count++) await undefined;
}

/** Promises three rows and records them one after the other. */
async function recordPromised(recorder: Recorder): Promise<readonly QueuedStep[]> {
  const releases = [recorder.reserve(100), recorder.reserve(100), recorder.reserve(100)];
  const steps: QueuedStep[] = [];
  for (const [index, release] of releases.entries()) {
    steps.push(recorder.record(row(index + 1)));
    release();
    await microtasks();
  }
  return steps;
}

test("a row that finds the writer idle does not wait for others", async () => {
  const { recorder, events } = await openRecorder();
  recorder.reserve(100);
  const step = recorder.record(row(1));
  await microtasks();
  expect(step.sent).toBe(true);
  await step.written.promise();
  expect(events.commits).toEqual([1]);
});

test("the next commit waits for promised rows, and begins when the last one comes", async () => {
  const { recorder, events } = await openRecorder();
  const first = recorder.record(row(9));
  await microtasks();
  const steps = await recordPromised(recorder);
  await Promise.all([first, ...steps].map((step) => step.written.promise()));
  expect(events.commits).toEqual([1, 3]);
});

test("callers that continue at once after a commit share the next one", async () => {
  const { recorder, events } = await openRecorder();
  await recorder.record(row(9)).written.promise();
  const steps = await recordPromised(recorder);
  await Promise.all(steps.map((step) => step.written.promise()));
  expect(events.commits).toEqual([1, 3]);
});

test("a promised row that never comes holds up no other", async () => {
  const { recorder, events } = await openRecorder();
  recorder.reserve(100);
  expect(await recorder.record(row(1)).written.promise()).toMatchObject({ step_id: 1 });
  expect(await recorder.record(row(2)).written.promise()).toMatchObject({ step_id: 2 });
  expect(events.commits).toEqual([1, 1]);
});

test("endless promises do not hold up a row forever", async () => {
  const { recorder } = await openRecorder();
  let release = recorder.reserve(1);
  const step = recorder.record(row(1));
  while (!step.sent) {
    const before = release;
    release = recorder.reserve(1);
    before();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await step.written.promise()).toMatchObject({ step_id: 1 });
});

test("closing does not wait for promised rows", async () => {
  const { recorder, events } = await openRecorder();
  recorder.reserve(100);
  recorder.record(row(1));
  await recorder.close(10_000);
  expect(events.commits).toEqual([1]);
});
