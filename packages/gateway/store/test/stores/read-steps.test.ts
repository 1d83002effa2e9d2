import { expect, test } from "vitest";
import { newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("pages by key, 100 rows at a time, and says where the next page begins", async () => {
  const { row, session_id } = newSession(database.store);
  await database.store.writeSteps(
    numbers(1, 205).map((step_id) => row(step_id)),
    soon(),
  );
  const first = await database.store.readSteps({ session_id });
  expect(first.steps.map(({ step_id }) => step_id)).toEqual(numbers(1, 100));
  expect(first.next_after).toBe(first.steps.at(-1)?.id);

  const limit = 105;
  const after = first.next_after ?? 0;
  const last = await database.store.readSteps({ session_id, after, limit });
  expect(last.steps.map(({ step_id }) => step_id)).toEqual(numbers(101, 205));
  expect(last.next_after).toBeNull();
});

test("a page of one model has only its rows", async () => {
  const { row, session_id } = newSession(database.store);
  const rows = numbers(1, 6).map((step_id) =>
    row(step_id, { model: step_id % 2 === 0 ? "judge" : "policy" }),
  );
  await database.store.writeSteps(rows, soon());
  const page = await database.store.readSteps({ session_id, model: "judge", limit: 2 });
  expect(page.steps.map(({ step_id }) => step_id)).toEqual([2, 4]);
  const after = page.next_after ?? 0;
  const rest = await database.store.readSteps({ session_id, model: "judge", after });
  expect(rest.steps.map(({ step_id }) => step_id)).toEqual([6]);
  expect(rest.next_after).toBeNull();
});

test("a page ends at 8 MiB of payload, and has at least one row", async () => {
  const { row, session_id } = newSession(database.store);
  const mebibytes = (count: number) => new Uint8Array(count * 1024 * 1024).fill(0x61);
  const rows = [
    row(1, { response: mebibytes(3) }),
    row(2, { messages: mebibytes(4) }),
    row(3, { response: mebibytes(2) }),
    row(4, { messages: mebibytes(5), response: mebibytes(5) }),
    row(5),
  ];
  await database.store.writeSteps(rows, soon());
  const pages: number[][] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await database.store.readSteps({ session_id, after });
    pages.push(page.steps.map(({ step_id }) => step_id));
    after = page.next_after;
  }
  expect(pages).toEqual([[1, 2], [3], [4], [5]]);
});

test("a step has the metadata and payloads that were written", async () => {
  const { row, session_id } = newSession(database.store);
  const created_at = "2026-01-02T03:04:05.678Z";
  const written = { created_at, meta_json: '{"outcome":"completed"}' };
  const payloads = { request: '{"n":1}', response: '{"id":"r"}', messages: "[]" };
  const { request, response, messages } = payloads;
  const bytes = { request: utf8(request), response: utf8(response), messages: utf8(messages) };
  await database.store.writeSteps([row(1, { ...written, ...bytes })], soon());
  const { steps } = await database.store.readSteps({ session_id });
  expect(steps).toMatchObject([{ ...written, ...payloads }]);
});

test("an unknown session has an empty last page", async () => {
  const page = await database.store.readSteps({ session_id: "unknown" });
  expect(page).toEqual({ steps: [], next_after: null });
});

test("rewards and ends that a launcher committed read as numbers and booleans", async () => {
  const { row, steps, session_id } = newSession(database.store);
  await database.store.writeSteps([row(1)], soon());
  await database.execute(
    `update session_steps set step_reward = 1, reward = 0.25, is_terminal = true, is_truncated = true,
     is_session_completed = true where session_id = ?`,
    session_id,
  );
  expect((await steps())[0]).toMatchObject({
    step_reward: 1,
    reward: 0.25,
    is_terminal: true,
    is_truncated: true,
    is_session_completed: true,
    is_trainable: false,
  });
});

test("large payloads are measured in bytes, not characters", async () => {
  const { row, session_id } = newSession(database.store);
  const threeBytesEach = utf8("漢".repeat(1_500_000));
  await database.store.writeSteps(
    [row(1, { response: threeBytesEach }), row(2, { response: threeBytesEach })],
    soon(),
  );
  const page = await database.store.readSteps({ session_id });
  expect(page.steps.map(({ step_id }) => step_id)).toEqual([1]);
  expect(page.next_after).not.toBeNull();
});
