import { type CopiedStep, openJobReader, openSqliteCopy } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";

const stepOf = (session_id: string, step_id: number, messages: string | null): CopiedStep => ({
  request_id: `${session_id}-${step_id}`,
  ...{ session_id, model: "policy", step_id, status_code: 200, env_name: null, job_id: "job" },
  ...{ group_id: null, step_reward: null, reward: null, is_trainable: false, is_terminal: false },
  ...{ is_truncated: false, is_session_completed: false, created_at: "2026-01-02T03:04:05.000Z" },
  ...{ meta_json: "{}", request: '{"messages":null}', response: '{"a":1.50}', messages },
});

/** Writes steps into a new database, and reads them back. */
async function copied(steps: readonly CopiedStep[]) {
  await using folder = await temporaryFolder();
  const db_url = `sqlite://${folder.path}/copy.db`;
  using copy = await openSqliteCopy(db_url);
  for (const step of steps) copy.addStep(step);
  copy.addAttempt({
    ...{ session_id: "s", job_id: "job", simulation_id: "one", attempt: 1, env_name: null },
    ...{ env_params: null, group_id: null, status: "finished", reward: 0.5, result: null },
    ...{ error: null, owner: null, heartbeat_at: null, created_at: "2026-01-02T03:04:05.000Z" },
    ...{ started_at: null, finished_at: null },
  });
  copy.finish();
  const store = await openJobReader({
    storage_type: "sqlite",
    storage_config: { db_url, create: false },
  });
  try {
    const { steps: whole } = await store.readSteps({ session_id: "s", limit: 1000 });
    const { rows } = await store.browser.readRows({ session_id: "s", payload: true });
    const outlines = await store.browser.readRows({ session_id: "s", limit: 1000 });
    const bases = outlines.rows.map(({ messages_base }) => messages_base);
    return { whole, rows, bases, job: await store.readJob("job") };
  } finally {
    await store.close();
  }
}

test("a copied history is stored once and reads unchanged", async () => {
  const histories = [
    '["é é é"]',
    '["é é é","ü"]',
    '["é é é","ü","a long message that is said once alone"]',
    // Another branch, an edit inside a character (ü and û differ in their second byte), and a repetition.
    '["é é é","ü","b"]',
    '["é é é","û","b"]',
    '["é é é","û","b"]',
    "null",
  ];
  const steps = histories.map((messages, index) => stepOf("s", index + 1, messages));
  const { whole, rows, bases, job } = await copied([...steps, stepOf("s", 8, null)]);
  expect(whole.map(({ messages }) => messages)).toEqual([...histories, null]);
  expect(whole.map(({ request }) => request)).toEqual(Array(8).fill('{"messages":null}'));
  expect(whole.map(({ response }) => response)).toEqual(Array(8).fill('{"a":1.50}'));
  expect(bases).toEqual([null, 1, 2, 3, 4, 5, null, null]);
  expect(rows[1]?.messages).toBe(',"ü"]');
  expect(rows[5]?.messages).toBe("]");
  expect(job).toMatchObject({ simulations: 1, finished: 1, mean_reward: 0.5 });
});

test("no chain of rows is longer than a reader goes back", async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const steps = numbers.map((last) =>
    stepOf("s", last + 1, JSON.stringify(numbers.slice(0, last + 1))),
  );
  const { whole, bases } = await copied(steps);
  expect(whole.map(({ messages }) => messages)).toEqual(steps.map(({ messages }) => messages));
  expect(numbers.filter((index) => bases[index] === null)).toEqual([0, 64, 128, 192]);
});

test("an unfinished copy leaves nothing", async () => {
  await using folder = await temporaryFolder();
  const db_url = `sqlite://${folder.path}/copy.db`;
  const copy = await openSqliteCopy(db_url);
  copy.addStep(stepOf("s", 1, "[]"));
  copy[Symbol.dispose]();
  const storage_config = { db_url, create: false };
  const store = await openJobReader({ storage_type: "sqlite", storage_config });
  expect((await store.readSteps({ session_id: "s" })).steps).toEqual([]);
  await store.close();
});
