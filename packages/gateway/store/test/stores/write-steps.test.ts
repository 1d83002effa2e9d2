import { monotonicMs } from "@proj/database";
import { expect, test } from "vitest";
import { isPostgres, newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();
/** Every stored row has one. */
const id = expect.any(Number);

/** Makes the database refuse rows with "poison" in them. */
const refusal = isPostgres
  ? [
      `create function refuse() returns trigger language plpgsql as $$
       begin raise exception 'no poison here' using errcode = 'check_violation'; end $$`,
      `create trigger refuse before insert on stored_steps for each row
       when (new.response like '%poison%') execute function refuse()`,
    ]
  : [
      `create trigger refuse before insert on stored_steps when new.response like '%poison%'
       begin select raise(abort, 'no poison here'); end`,
    ];

test("stores a batch in its order and answers one result for each row", async () => {
  const { row, steps } = newSession(database.store);
  const rows = [row(2), row(1), row(3, { model: "judge", status_code: 502 })];
  expect(await database.store.writeSteps(rows, soon())).toEqual([
    { request_id: rows[0]?.request_id, id, step_id: 2, stored: "whole" },
    { request_id: rows[1]?.request_id, id, step_id: 1, stored: "whole" },
    { request_id: rows[2]?.request_id, id, step_id: 3, stored: "whole" },
  ]);
  const stored = await steps();
  expect(stored.map((step) => [step.model, step.step_id, step.status_code])).toEqual([
    ["policy", 2, 200],
    ["policy", 1, 200],
    ["judge", 3, 502],
  ]);
  expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toSorted((a, b) => a - b));
});

test("columns that the gateway does not write have their defaults", async () => {
  const { row, steps } = newSession(database.store);
  const columns = { env_name: "maze", job_id: "job-1", group_id: "group-1" };
  await database.store.writeSteps([row(1, columns)], soon());
  expect((await steps())[0]).toMatchObject({
    ...columns,
    created_at: "2026-01-02T03:04:05.678Z",
    step_reward: null,
    reward: null,
    is_trainable: false,
    is_terminal: false,
    is_truncated: false,
    is_session_completed: false,
  });
});

test("an empty batch is not a transaction", async () => {
  expect(await database.store.writeSteps([], { deadline: 0 })).toEqual([]);
});

test("a row that was stored before is left unchanged and reported again", async () => {
  const { row, steps } = newSession(database.store);
  await database.store.writeSteps([row(1), row(2)], soon());
  const again = row(2, { response: utf8('{"id":"another"}') });
  expect(await database.store.writeSteps([again, row(3)], soon())).toEqual([
    { request_id: again.request_id, id, step_id: 2, stored: "whole" },
    { request_id: row(3).request_id, id, step_id: 3, stored: "whole" },
  ]);
  const stored = await steps();
  expect(stored.map(({ step_id }) => step_id)).toEqual([1, 2, 3]);
  expect(stored[1]?.response).toBe('{"id":"answer"}');
});

test("a taken number is replaced by the next free one, and the row says so", async () => {
  const { row, steps } = newSession(database.store);
  await database.store.writeSteps([row(1), row(7)], soon());
  const late = [
    row(1, { request_id: "late-1" }),
    row(8, { request_id: "late-2", meta_json: "{ }" }),
  ];
  const expected = [
    { request_id: "late-1", id, step_id: 8, stored: "whole" },
    { request_id: "late-2", id, step_id: 9, stored: "whole" },
  ];
  expect(await database.store.writeSteps(late, soon())).toEqual(expected);
  expect(await database.store.writeSteps(late, soon())).toEqual(expected);
  const stored = await steps();
  expect(stored.map(({ meta_json }) => meta_json).slice(2)).toEqual([
    '{"status_code":200,"renumbered_from":1}',
    '{"renumbered_from":8}',
  ]);
});

test("calls that are not steps count down, and are never the latest success", async () => {
  const { row, session_id } = newSession(database.store);
  const side = (step_id: number, request_id: string) =>
    row(step_id, { request_id: `${session_id}-${request_id}` });
  const written = await database.store.writeSteps(
    [side(-1, "a"), side(-1, "b"), side(-7, "c"), side(-7, "d")],
    soon(),
  );
  expect(written.map(({ step_id }) => step_id)).toEqual([-1, -2, -7, -8]);
  expect(await database.store.readLatestSuccessStep({ session_id, model: "policy" })).toBeNull();
  const tokens = { prompt_tokens: 0, completion_tokens: 0, cost_nano_usd: 0 };
  const counts = { model: "policy", ...tokens, returned_steps: 0, replayed_steps: 0 };
  expect((await database.store.readSession(session_id)).models).toEqual([
    { ...counts, steps: 0, rows_besides_steps: 8, successes: 0, latest_success_step: null },
  ]);
  // The first step is still 1, and the next one that asks for 1 gets 2.
  const [first, second] = await database.store.writeSteps([row(1), side(1, "e")], soon());
  expect([first?.step_id, second?.step_id]).toEqual([1, 2]);
  expect((await database.store.readSession(session_id)).models).toEqual([
    { ...counts, steps: 2, rows_besides_steps: 8, successes: 2, latest_success_step: 2 },
  ]);
});

test("numbers of other sessions and models are not taken", async () => {
  const session = newSession(database.store);
  const other = newSession(database.store);
  const rows = [
    session.row(1),
    session.row(1, { request_id: `${session.session_id}-judge`, model: "judge" }),
    other.row(1),
  ];
  const written = await database.store.writeSteps(rows, soon());
  expect(written.map(({ step_id }) => step_id)).toEqual([1, 1, 1]);
});

test("a row refused for its content is stored without its payload, the others whole", async () => {
  const { row, steps } = newSession(database.store);
  for (const statement of refusal) await database.execute(statement);
  const poisoned = row(2, { response: utf8('{"text":"poison"}') });
  const expected = [
    { request_id: row(1).request_id, id, step_id: 1, stored: "whole" },
    { request_id: poisoned.request_id, id, step_id: 2, stored: "without_payload" },
    { request_id: row(3).request_id, id, step_id: 3, stored: "whole" },
  ];
  expect(await database.store.writeSteps([row(1), poisoned, row(3)], soon())).toEqual(expected);
  const [first, second, third] = await steps();
  expect([first?.response, third?.response]).toEqual(['{"id":"answer"}', '{"id":"answer"}']);
  expect(second).toMatchObject({ request: null, response: null, messages: null });
  expect(JSON.parse(second?.meta_json ?? "")).toEqual({
    status_code: 200,
    capture_error: "the database refused the payload: no poison here",
  });
  expect(await database.store.writeSteps([poisoned], soon())).toEqual(expected.slice(1, 2));
});

test("a row that no table could store fails its batch for good, and is named", async () => {
  const { row, steps } = newSession(database.store);
  const impossible = row(Number.NaN, { request_id: "no-number" });
  const failed = database.store.writeSteps([row(1), impossible], soon());
  await expect(failed).rejects.toThrow(/refuses step no-number even without its payload/);
  await expect(failed).rejects.not.toMatchObject({ name: "StoreUnavailableError" });
  expect(await steps()).toEqual([]);
  expect(await database.store.writeSteps([row(1)], soon())).toHaveLength(1);
});

test("nothing is committed once the deadline has passed", async () => {
  const { row, steps } = newSession(database.store);
  const late = database.store.writeSteps([row(1)], { deadline: monotonicMs() - 1 });
  await expect(late).rejects.toMatchObject({ name: "StoreUnavailableError", writerDied: false });
  expect(await steps()).toEqual([]);
});

test("an amendment may add an answer that was made later", async () => {
  const { row, steps } = newSession(database.store);
  const [pending, other] = [row(1), row(2)];
  await database.store.writeSteps([pending, other], soon());
  const stored = (await steps()).map(({ response }) => response?.toString());
  const answer = '{"status":"completed"}';
  await database.store.amendSteps([
    { request_id: pending.request_id, status_code: 200, meta_json: "{}", answer },
    { request_id: other.request_id, status_code: 200, meta_json: "{}" },
  ]);
  const amended = (await steps()).map(({ response }) => response?.toString());
  expect(amended).toEqual([answer, stored[1]]);
});

test("an amendment changes status and metadata, and keeps what storage and launcher added", async () => {
  const { row, steps, session_id } = newSession(database.store);
  const first = row(1);
  await database.store.writeSteps([first, row(1, { request_id: "renumbered" })], soon());
  await database.execute(
    `update session_steps set meta_json = '{"eval":{"score":1}}' where request_id = ?`,
    first.request_id,
  );
  await database.store.amendSteps([
    { request_id: first.request_id, status_code: 499, meta_json: '{"status_code":499}' },
    { request_id: "renumbered", status_code: 503, meta_json: "{}" },
    { request_id: "never-stored", status_code: 503, meta_json: "{}" },
  ]);
  expect((await steps()).map((step) => [step.status_code, step.meta_json])).toEqual([
    [499, '{"status_code":499,"eval":{"score":1}}'],
    [503, '{"renumbered_from":1}'],
  ]);
  expect(await database.store.readLatestSuccessStep({ session_id, model: "policy" })).toBeNull();
});
