import { expect, test } from "vitest";
import type { EnvironmentRow } from "../../src/environment-row.ts";
import { newSession, sharedDatabase, soon } from "../temporary-database.ts";

const database = sharedDatabase();
const usage = (
  prompt_tokens: unknown,
  completion_tokens: unknown,
  cost_nano_usd?: number,
): string => JSON.stringify({ status_code: 200, prompt_tokens, completion_tokens, cost_nano_usd });

/** The same for a step that another session's record answered. */
const replayed = (meta_json: string): string =>
  JSON.stringify({ ...JSON.parse(meta_json), replayed_from: { session_id: "s", step_id: 1 } });

test("counts steps, successes, replays, tokens and cost for each model", async () => {
  const { row, session_id } = newSession(database.store);
  const judge = { model: "judge", request_id: `${session_id}-judge` };
  await database.store.writeSteps(
    [
      row(1, { meta_json: usage(10, 1, 100_000_001) }),
      row(3, { meta_json: usage(20, 2, 200_000_002), status_code: 502 }),
      row(2, { meta_json: replayed(usage(30, null)) }),
      row(1, { ...judge, meta_json: usage(5, 5), status_code: 499 }),
    ],
    soon(),
  );
  const { models, environment } = await database.store.readSession(session_id);
  expect(environment).toBeNull();
  expect(models.toSorted((a, b) => (a.model < b.model ? -1 : 1))).toEqual([
    {
      model: "judge",
      steps: 1,
      rows_besides_steps: 0,
      returned_steps: 0,
      successes: 0,
      replayed_steps: 0,
      latest_success_step: null,
      prompt_tokens: 5,
      completion_tokens: 5,
      cost_nano_usd: 0,
    },
    {
      model: "policy",
      steps: 3,
      rows_besides_steps: 0,
      returned_steps: 0,
      successes: 2,
      replayed_steps: 1,
      latest_success_step: 2,
      prompt_tokens: 60,
      completion_tokens: 3,
      cost_nano_usd: 300_000_003,
    },
  ]);
  expect(await database.store.readLatestSuccessStep({ session_id, model: "policy" })).toBe(2);
  expect(await database.store.readLatestSuccessStep({ session_id, model: "judge" })).toBeNull();
});

test("has the record that the session begins from", async () => {
  const { row, session_id } = newSession(database.store);
  const origin = newSession(database.store);
  const from = { from_session_id: origin.session_id, model: "policy", step: 1 };
  const fork = { session_id, ...from, mode: "fork", ignore: ["metadata"] } as const;
  await database.store.writeSteps([origin.row(1), row(1)], soon());
  expect((await database.store.readSession(session_id)).fork).toBeNull();
  await database.store.forkSession(fork);
  expect((await database.store.readSession(session_id)).fork).toEqual(fork);
});

test("nonsensical metadata counts as nothing and breaks nothing", async () => {
  const { row, session_id } = newSession(database.store);
  const metas = [
    "no JSON",
    "[".repeat(100_000),
    usage("many", [1]),
    usage(Number.MAX_SAFE_INTEGER, 1),
    '{"prompt_tokens":9223372036854775807,"completion_tokens":1}',
    '{"prompt_tokens":9223372036854775807}',
  ];
  const rows = metas.map((meta_json, index) => row(index + 1, { meta_json }));
  await database.store.writeSteps(rows, soon());
  const { models } = await database.store.readSession(session_id);
  expect(models).toMatchObject([{ steps: 6, successes: 6, completion_tokens: 2 }]);
});

test("a session longer than one read is counted in full", async () => {
  const { row, session_id } = newSession(database.store);
  const rows = Array.from({ length: 4001 }, (_, index) =>
    row(index + 1, { meta_json: usage(1, 2, 3_000_001), status_code: index < 2500 ? 200 : 502 }),
  );
  await database.store.writeSteps(rows, soon());
  const { models } = await database.store.readSession(session_id);
  expect(models).toEqual([
    {
      model: "policy",
      steps: 4001,
      rows_besides_steps: 0,
      returned_steps: 0,
      successes: 2500,
      replayed_steps: 0,
      latest_success_step: 2500,
      prompt_tokens: 4001,
      completion_tokens: 8002,
      cost_nano_usd: 12_003_004_001,
    },
  ]);
});

test("an unknown session is empty", async () => {
  expect(await database.store.readSession("unknown")).toEqual({
    models: [],
    environment: null,
    fork: null,
  });
  expect(await database.store.findEnvironments(["unknown"])).toEqual([]);
  expect(
    await database.store.readLatestSuccessStep({ session_id: "unknown", model: "policy" }),
  ).toBeNull();
});

test("a session is returned with its environment", async () => {
  const environment: EnvironmentRow = {
    session_id: "bound",
    job_id: "job-1",
    simulation_id: "simulation-1",
    attempt: 2,
    env_name: "maze",
    env_params: '{"size":9007199254740993}',
    group_id: null,
    status: "running",
    reward: 0.5,
    result: null,
    error: null,
    owner: "launcher-1",
    heartbeat_at: "2026-01-02T03:04:05.678Z",
    created_at: "2026-01-02T03:04:05.000Z",
    started_at: "2026-01-02T03:04:05.100Z",
    finished_at: null,
  };
  const columns = Object.keys(environment);
  await database.execute(
    `insert into job_environments (${columns.join()}) values (${columns.map(() => "?").join()})`,
    ...Object.values(environment),
  );
  const asked = ["unknown", "bound", '"quoted" \\ {ü}'];
  expect(await database.store.findEnvironments(asked)).toEqual([environment]);
  expect(await database.store.findEnvironments([])).toEqual([]);
  expect(await database.store.readSession("bound")).toEqual({
    models: [],
    environment,
    fork: null,
  });
});
