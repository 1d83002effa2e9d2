import { expect, test } from "vitest";
import { examineJob, exportFormats, exportRollouts, parseRolloutFilter } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import {
  answer,
  call,
  exported,
  question,
  rewardedJob,
  stepOf,
  system,
  tools,
} from "./rewarded-job.ts";

const database = sharedDatabase();

test("each trainer's format has its own names, and all identify the rollout", async () => {
  const job = await rewardedJob(database.newJob());
  const about = { job_id: job.job_id, simulation_id: "s1", group_id: "g1", env_name: "maze" };
  const view = { completion_ids: [10, 11, 4, 12], logprobs: [-0.1, -0.11, 0, -0.12] };
  const mask = [1, 1, 0, 1];

  expect(await exported(job, "sequences")).toMatchObject([
    {
      ...about,
      reward: 0.5,
      input_ids: [1, 2, 3, 10, 11, 4, 12],
      loss_mask: [0, 0, 0, 1, 1, 0, 1],
      split: { reason: "first" },
    },
  ]);
  expect(await exported(job, "verl")).toMatchObject([
    {
      prompt_ids: [1, 2, 3],
      response_ids: view.completion_ids,
      response_mask: mask,
      response_logprobs: view.logprobs,
      reward_score: 0.5,
      num_turns: 4,
      extra_fields: about,
    },
  ]);
  expect(await exported(job, "trl")).toMatchObject([
    { prompt_ids: [1, 2, 3], ...view, env_mask: mask, reward: 0.5, ...about },
  ]);
  expect(await exported(job, "skyrl")).toMatchObject([
    {
      prompt_token_ids: [1, 2, 3],
      response_ids: view.completion_ids,
      loss_masks: mask,
      rewards: 0.5,
      stop_reasons: "stop",
      trajectory_ids: { instance_id: `${job.job_id}/g1`, repetition_id: 0 },
      is_last_step: true,
    },
  ]);
  expect(await exported(job, "slime")).toMatchObject([
    {
      tokens: [1, 2, 3, 10, 11, 4, 12],
      response_length: 4,
      loss_mask: mask,
      reward: 0.5,
      rollout_id: 0,
    },
  ]);
  expect(await exported(job, "tinker")).toMatchObject([
    {
      datum: {
        model_input: { chunks: [{ type: "encoded_text", tokens: [1, 2, 3, 10, 11, 4] }] },
        loss_fn_inputs: {
          target_tokens: { data: [2, 3, 10, 11, 4, 12], dtype: "int64", shape: [6] },
          mask: { data: [0, 0, 1, 1, 0, 1] },
        },
      },
      reward: 0.5,
    },
  ]);
});

test("groups of two jobs are two groups, even if their names are the same", async () => {
  const { store, ...first } = await rewardedJob(database.newJob());
  const second = await rewardedJob(database.newJob());
  const ids = [first.job_id, second.job_id];
  const ofBoth = async (name: string): Promise<Record<string, unknown>[]> => {
    const lines = await exported({ store }, name);
    return lines.filter((line) => ids.some((id) => JSON.stringify(line).includes(`"${id}"`)));
  };
  const trajectories = (await ofBoth("skyrl")).map(({ trajectory_ids }) => trajectory_ids);
  expect(trajectories).toHaveLength(2);
  for (const id of ids)
    expect(trajectories).toContainEqual({ instance_id: `${id}/g1`, repetition_id: 0 });
  const samples = await ofBoth("slime");
  expect(samples).toHaveLength(2);
  expect(new Set(samples.map(({ group_index }) => group_index)).size).toBe(2);
});

test("recorded headers are on every line, by step", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1", "g1");
  const said = answer({ role: "assistant", content: "4" }, [1, 2], [3]);
  const headers = { "x-weights": "w7" };
  await job.step(session_id, stepOf(0, [question], said, { headers }));
  const request_headers = { "x-trial": "nucleus 0.9" };
  const next = answer({ role: "assistant", content: "5" }, [1, 2, 3, 4], [5]);
  await job.step(
    session_id,
    stepOf(1000, [question, question], next, { request_headers, headers }),
  );
  await job.step(session_id, stepOf(2000, [question], said));
  await job.finish(session_id, 0.5);

  const recorded = [
    { step: "policy/1", request: null, response: headers },
    { step: "policy/2", request: request_headers, response: headers },
  ];
  for (const [name, of] of [
    ["sequences", (line: Record<string, unknown>) => line],
    ["verl", ({ extra_fields }: Record<string, unknown>) => extra_fields],
    ["trl", (line: Record<string, unknown>) => line],
    ["sharegpt", (line: Record<string, unknown>) => line],
    ["atif", ({ extra }: Record<string, unknown>) => extra],
  ] as const)
    for (const line of await exported(job, name))
      expect(of(line)).toMatchObject({ headers: recorded });
});

test("whole conversations are exported as messages, each once", async () => {
  const job = await rewardedJob(database.newJob());
  expect(await exported(job, "openai-finetuning")).toEqual([
    {
      messages: [
        { role: "user", content: "title?" },
        { role: "assistant", content: "Sums" },
      ],
      tools,
    },
    {
      messages: [
        system,
        question,
        { role: "assistant", content: "", tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "4" },
        { role: "assistant", content: "4" },
      ],
      tools,
    },
  ]);
  const [, second] = await exported(job, "sharegpt");
  expect(second).toMatchObject({
    system: "be brief",
    conversations: [
      { from: "human", value: "2 + 2?" },
      { from: "function_call", value: '{"name":"add","arguments":{"a":2,"b":2}}' },
      { from: "observation", value: "4" },
      { from: "gpt", value: "4" },
    ],
  });
});

test("a rollout is a trajectory of ATIF, with token ids, results at their calls, and side conversations as subagents", async () => {
  const job = await rewardedJob(database.newJob());
  const [trajectory, ...others] = await exported(job, "atif");
  expect(others).toEqual([]);
  expect(trajectory).toMatchObject({
    schema_version: "ATIF-v1.7",
    agent: { name: "maze", model_name: "policy", tool_definitions: tools },
    steps: [
      { step_id: 1, source: "system", message: "be brief" },
      { step_id: 2, source: "user", message: "2 + 2?" },
      {
        step_id: 3,
        source: "agent",
        tool_calls: [{ tool_call_id: "c1", function_name: "add", arguments: { a: 2, b: 2 } }],
        observation: { results: [{ source_call_id: "c1", content: "4" }] },
        metrics: { prompt_token_ids: [1, 2, 3], completion_token_ids: [10, 11], prompt_tokens: 3 },
      },
      { step_id: 4, source: "agent", message: "4" },
    ],
    extra: { reward: 0.5 },
    subagent_trajectories: [{ steps: [{ source: "user" }, { source: "agent", message: "Sums" }] }],
  });
});

test("failed attempts are exported on request, and `since` limits the time", async () => {
  const job = await rewardedJob(database.newJob());
  const failed = await job.claim("s2");
  await job.step(
    failed,
    stepOf(0, [question], answer({ role: "assistant", content: "4" }, [1], [2])),
  );
  await job.fail(failed, "evaluation_failed: it broke");
  const { job_id } = job;
  const [format] = exportFormats;
  if (format === undefined) throw new Error("there is no format");
  const count = async (options: object): Promise<number> => {
    let lines = 0;
    for await (const _ of exportRollouts(job.store, { format, job_id, ...options })) lines += 1;
    return lines;
  };
  expect(await count({})).toBe(1);
  expect(await count({ include_failed: true })).toBe(2);
  expect(await count({ include_failed: true, since: new Date(Date.now() + 60_000) })).toBe(0);
  const filters = (...texts: string[]) => texts.map((text) => parseRolloutFilter(text));
  expect(await count({ filters: filters("env_name=maze", "reward<1") })).toBe(1);
  expect(await count({ filters: filters("reward>=0.75") })).toBe(0);
  expect(await count({ include_failed: true, filters: filters("status=failed") })).toBe(1);
  expect(filters("reward<", "reward<x", "colour=red", "env_name<1", "maze")).toEqual(
    Array(5).fill(null),
  );
});

test("a job's examination adds up, and names groups with equal rewards", async () => {
  const job = await rewardedJob(database.newJob());
  const twin = await job.claim("s2", "g1");
  await job.step(twin, { response: null, messages: null, request: null });
  await job.finish(twin, 0.5);
  const found = await examineJob(job.store, job.job_id);
  expect(found).toEqual({
    rollouts: 2,
    steps: 4,
    sequences: 1,
    captured: 4,
    unknown_steps: 1,
    delivered: 3,
    masked: 0,
    dropped: 1,
    delivered_fraction: 0.75,
    breaks_by_reason: { first: 1 },
    prefix_extension_rate: 1,
    sequence_tokens: 7,
    longest_tokens: 7,
    missing_ids: { not_captured: { steps: 1, tokens: 0 } },
    losses_by_reason: {
      side_call: { steps: 1, tokens: 1 },
      no_token_ids: { steps: 1, tokens: 0 },
    },
    truncated_by: {},
    zero_variance_groups: ["g1"],
    groups: 1,
  });
});
