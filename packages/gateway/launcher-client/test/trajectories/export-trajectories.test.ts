import { expect, test } from "vitest";
import { type ExportOptions, exportTrajectories } from "../../src/index.ts";
import { type StoredJob, sharedDatabase } from "./stored-job.ts";

const database = sharedDatabase();

async function linesOf(
  { store, job_id }: StoredJob,
  options: ExportOptions = { job_id },
): Promise<string[]> {
  let text = "";
  for await (const piece of exportTrajectories(store, options)) text += piece;
  return text.split("\n").slice(0, -1);
}

test("simulations that finished with a reward are exported, one line for each successful step", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1", "group-1");
  const payload = { messages: '[{"role":"user","content":"1"}]', request: '{"messages":null}' };
  await job.step(session_id, { ...payload, response: '{"choices":[]}' });
  await job.step(session_id, { status_code: 502 });
  await job.step(session_id, { model: "judge" });
  // A recorded call that is not a step.
  await job.step(session_id, { step_id: -1 });
  await job.finish(session_id, 0.25);

  const names = { session_id, job_id: job.job_id, simulation_id: "s1", attempt: 1 };
  const tokens = { prompt_token_ids: null, token_ids: null, logprobs: null };
  expect((await linesOf(job)).map((line) => JSON.parse(line))).toEqual([
    {
      ...names,
      group_id: "group-1",
      env_name: "maze",
      model: "policy",
      step_id: 1,
      messages: [{ role: "user", content: "1" }],
      request: { messages: null },
      response: { choices: [] },
      reward: 0.25,
      is_terminal: true,
      is_truncated: false,
      cost_nano_usd: null,
      ...tokens,
    },
    {
      ...names,
      group_id: "group-1",
      env_name: "maze",
      model: "judge",
      step_id: 1,
      messages: null,
      request: null,
      response: null,
      reward: 0.25,
      is_terminal: false,
      is_truncated: false,
      cost_nano_usd: null,
      ...tokens,
    },
  ]);
});

test("only the attempt that finished is exported, not failed or running ones", async () => {
  const job = database.newJob();
  const first = await job.claim("s1");
  await job.step(first);
  await job.fail(first, "runtime_failed: no", 2);
  const second = await job.claim("s1");
  await job.step(second);
  await job.finish(second, 1);
  const failed = await job.claim("s2");
  await job.step(failed);
  await job.fail(failed, "runtime_failed: no");
  await job.step(await job.claim("s3"));

  const lines = (await linesOf(job)).map((line) => JSON.parse(line));
  expect(lines.map(({ session_id, attempt }) => [session_id, attempt])).toEqual([[second, 2]]);
});

test("one job or all of them", async () => {
  const jobs = [database.newJob(), database.newJob()];
  for (const job of jobs) {
    const session_id = await job.claim("s1");
    await job.step(session_id);
    await job.finish(session_id, 1);
  }
  const [one, other] = jobs;
  if (one === undefined || other === undefined) throw new Error("There are two.");
  expect(await linesOf(one)).toHaveLength(1);
  expect(await linesOf(one, { job_id: "job-unknown" })).toEqual([]);
  const all = (await linesOf(one, {})).map((line) => JSON.parse(line).job_id);
  expect(all).toEqual(expect.arrayContaining([one.job_id, other.job_id]));
});

test("JSON is exported as stored: every digit, every escape, any depth, on one line", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  const messages = String.raw`[{"role":"user","content":"\u00e9 \n \ud83d","n":12345678901234567890}]`;
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const request = `{\r\n  "temperature": 1.0,\n  "messages": null, "extra": ${deep}\n}`;
  const response = `{"choices":[{"token_ids":[1, 9007199254740993],"logprobs":{"content":[{"logprob":-0.10000000000000000555}]}}],"prompt_token_ids":[ 7 ]}`;
  await job.step(session_id, { messages, request, response });
  await job.finish(session_id, 1);

  const [line = "", ...others] = await linesOf(job);
  expect(others).toEqual([]);
  expect(line).toContain(`,"messages":${messages},`);
  expect(line).toContain(`,"request":${request.replaceAll(/[\r\n]/g, " ")},`);
  expect(line).toContain(`,"response":${response},`);
  expect(line).toContain(`,"prompt_token_ids":[ 7 ],"token_ids":[1, 9007199254740993],`);
  expect(line).toContain(`,"logprobs":[{"logprob":-0.10000000000000000555}]}`);
});

test("tokens are read from both endpoints' answers, from the first of several choices", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  const chat = {
    choices: [
      { message: {}, token_ids: [1, 2], logprobs: { content: [{ token: "a" }], refusal: null } },
      { message: {}, token_ids: [3], logprobs: { content: [{ token: "b" }], refusal: null } },
    ],
  };
  const text = (token: string): object => ({ type: "output_text", logprobs: [{ token }] });
  const responses = {
    output: [
      { type: "reasoning", summary: [] },
      { type: "message", content: [text("a"), text("b")] },
      { type: "message", content: [{ type: "refusal" }, text("c")] },
    ],
  };
  const none = { choices: [{ message: { content: "no logprobs" }, logprobs: null }] };
  for (const response of [chat, responses, none]) {
    await job.step(session_id, { response: JSON.stringify(response) });
  }
  await job.finish(session_id, 1);
  const lines = (await linesOf(job)).map((line) => JSON.parse(line));
  expect(lines.map(({ token_ids, logprobs }) => ({ token_ids, logprobs }))).toEqual([
    { token_ids: [1, 2], logprobs: [{ token: "a" }] },
    { token_ids: null, logprobs: [{ token: "a" }, { token: "b" }, { token: "c" }] },
    { token_ids: null, logprobs: null },
  ]);
});

test("an answer that is not JSON becomes a string, and leaves the line valid", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  const response = '{"choices":[{"logprobs":{"content":[{"logprob":-Infinity}]}}]}';
  await job.step(session_id, { response });
  await job.finish(session_id, 1);
  const [line = ""] = await linesOf(job);
  expect(JSON.parse(line)).toMatchObject({ response, logprobs: null });
});

test("an abort ends an export", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  await job.step(session_id);
  await job.finish(session_id, 1);
  await expect(linesOf(job, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
    "enough",
  );
});
