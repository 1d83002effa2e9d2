import { expect, test } from "vitest";
import { examineJob, exportFormats, exportRollouts } from "../../src/index.ts";
import { type StoredJob, sharedDatabase } from "../trajectories/stored-job.ts";

const database = sharedDatabase();

const question = { role: "user", content: "left or right?" };
const first = { role: "assistant", content: "left" };
const next = { role: "user", content: "and now?" };

function answer(message: object, prompt_token_ids: number[], token_ids: number[]) {
  const content = token_ids.map((id) => ({ token: "x", logprob: -id / 100 }));
  const choices = [{ message, token_ids, logprobs: { content }, finish_reason: "stop" }];
  return JSON.stringify({ id: "chatcmpl-1", choices, prompt_token_ids });
}

const stepOf = (at: number, messages: object[], response: string, meta: object = {}) => ({
  messages: JSON.stringify(messages),
  request: JSON.stringify({ model: "policy" }),
  response,
  meta: { started_at: new Date(Date.now() + at).toISOString(), finish_reason: "stop", ...meta },
});

/** Two siblings that share the first step of the session `source` and differ in the second. */
async function forkedJob(): Promise<StoredJob> {
  const job = database.newJob();
  for (const [simulation_id, said, token, reward] of [
    ["source@1.1", "west", 12, 1],
    ["source@1.2", "east", 13, 0],
  ] as const) {
    const session_id = await job.claim(simulation_id, "source@1");
    const replayed_from = { session_id: "source", step_id: 1, request_id: "r1" };
    const shared = answer(first, [1, 2], [10, 11]);
    await job.step(session_id, stepOf(0, [question], shared, { replayed_from }));
    const own = answer({ role: "assistant", content: said }, [1, 2, 10, 11, 3], [token]);
    await job.step(session_id, stepOf(1_000, [question, first, next], own));
    await job.finish(session_id, reward);
  }
  return job;
}

async function exported(job: StoredJob, name: string): Promise<Record<string, unknown>[]> {
  const format = exportFormats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  let text = "";
  for await (const piece of exportRollouts(job.store, { format, job_id: job.job_id }))
    text += piece;
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test("siblings train on what each of them sampled, not on what they share", async () => {
  const job = await forkedJob();
  expect(await exported(job, "sequences")).toMatchObject([
    { group_id: "source@1", input_ids: [1, 2, 10, 11, 3, 12], loss_mask: [0, 0, 0, 0, 0, 1] },
    { group_id: "source@1", input_ids: [1, 2, 10, 11, 3, 13], loss_mask: [0, 0, 0, 0, 0, 1] },
  ]);
  expect(await exported(job, "openai-finetuning")).toMatchObject([
    {
      messages: [
        { role: "user" },
        { role: "assistant", content: "left", weight: 0 },
        { role: "user" },
        { role: "assistant", content: "west" },
      ],
    },
    {},
  ]);
});

test("doctor counts sampled tokens, and lists replayed ones", async () => {
  const { job_id, store } = await forkedJob();
  expect(await examineJob(store, job_id)).toMatchObject({
    rollouts: 2,
    steps: 4,
    captured: 2,
    delivered: 2,
    delivered_fraction: 1,
    losses_by_reason: { replayed: { steps: 2, tokens: 0 } },
    groups: 1,
    zero_variance_groups: [],
  });
});
