import { expect, test } from "vitest";
import { examineJob } from "../../src/index.ts";
import { type StoredJob, sharedDatabase } from "../trajectories/stored-job.ts";
import { answer, exported, question, stepOf, system } from "./rewarded-job.ts";

const database = sharedDatabase();
const said = { role: "assistant", content: "4" };

/** A rollout of two calls. */
async function play(job: StoredJob, name: string, response = answer(said, [1, 2], [3])) {
  const session_id = await job.claim(name);
  await job.step(session_id, stepOf(0, [question], response));
  await job.step(session_id, stepOf(1, [system], answer(said, [7], [8, 9])));
  return session_id;
}

test("a rollout that was cut off says by what, in each format", async () => {
  const job = database.newJob();
  const cut = { is_truncated: true, step_id: 2 };
  await job.finish(await play(job, "s1"), 1, { ...cut, result: '{"truncated_by":"max_steps"}' });
  await job.finish(await play(job, "s2"), 1, cut);
  await job.finish(await play(job, "s3"), 1, { result: '{"truncated_by":"max_steps"}' });
  expect((await examineJob(job.store, job.job_id)).truncated_by).toEqual({
    max_steps: 1,
    length: 1,
  });
  const ends = async (format: string, member: string) =>
    (await exported(job, format)).map((line) => line[member]);
  const [whole, short] = [
    ["completed", "stop"],
    ["truncated", "length"],
  ] as const;
  const expected = [whole, short, whole, short, whole, whole];
  expect(await ends("slime", "status")).toEqual(expected.map(([status]) => status));
  expect(await ends("skyrl", "stop_reasons")).toEqual(expected.map(([, reason]) => reason));
});

test("a datum of Tinker has the log probabilities of its targets, if the engine gave any", async () => {
  const job = database.newJob();
  const response = JSON.stringify({
    choices: [{ message: said, token_ids: [3, 4] }],
    prompt_token_ids: [1],
  });
  await job.finish(await play(job, "s1", response), 1);
  const tensor = (dtype: string, ...data: number[]) => ({ data, dtype, shape: [data.length] });
  expect((await exported(job, "tinker")).map(({ datum }) => datum)).toEqual([
    {
      model_input: { chunks: [{ type: "encoded_text", tokens: [1, 3] }] },
      loss_fn_inputs: { target_tokens: tensor("int64", 3, 4), mask: tensor("float32", 1, 1) },
    },
    {
      model_input: { chunks: [{ type: "encoded_text", tokens: [7, 8] }] },
      loss_fn_inputs: {
        ...{ target_tokens: tensor("int64", 8, 9), mask: tensor("float32", 1, 1) },
        logprobs: tensor("float32", -0.08, -0.09),
      },
    },
  ]);
});

test("a trajectory keeps every turn, and results belong to their call", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  const use = { type: "tool_use", id: "c1", name: "add", input: { a: 2 } };
  const messages = [
    { role: "developer", content: "be brief" },
    { role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] },
    { role: "assistant", content: [use] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: "4" },
        { type: "text", text: "go on" },
      ],
    },
    { role: "assistant", content: [{ ...use, id: "c2" }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c2", content: "5" }] },
  ];
  await job.step(session_id, stepOf(0, messages, answer(said, [1], [2])));
  await job.finish(session_id, 1);
  const [line = {}] = await exported(job, "atif");
  expect(line).not.toHaveProperty("subagent_trajectories");
  const steps = line.steps as { source: string; message: string; observation?: object }[];
  expect(
    steps.map(({ source, message, observation }) => [source, message, observation ?? null]),
  ).toEqual([
    ["system", "be brief", null],
    ["user", "", null],
    ["agent", "", { results: [{ source_call_id: "c1", content: "4" }] }],
    ["user", "go on", null],
    ["agent", "", { results: [{ source_call_id: "c2", content: "5" }] }],
    ["agent", "4", null],
  ]);
});

test("a rollout whose calls all failed has no trajectory", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  await job.step(session_id, { status_code: 502 });
  await job.finish(session_id, 0);
  expect(await exported(job, "atif")).toEqual([]);
});
