import { expect, test } from "vitest";
import { exportFormats, exportRollouts } from "../../src/index.ts";
import { type StoredJob, sharedDatabase } from "../trajectories/stored-job.ts";
import { answer, exported, question, rewardedJob, stepOf, system } from "./rewarded-job.ts";

const database = sharedDatabase();

/** A rollout of two sequences, the second of which is trained on most, and one of one in no group. */
async function brokenJob(): Promise<StoredJob> {
  const job = database.newJob();
  const session_id = await job.claim("s1", "g1");
  const say = (content: string) => ({ role: "assistant", content });
  await job.step(session_id, stepOf(0, [system, question], answer(say("a"), [1, 2], [3])));
  await job.step(session_id, stepOf(1000, [question], answer(say("b"), [7, 8], [9, 10, 11])));
  await job.finish(session_id, 1);
  const alone = await job.claim("s2");
  await job.step(alone, stepOf(0, [system, question], answer(say("a"), [1, 2], [3])));
  await job.finish(alone, 0.5);
  return job;
}

const inner: Readonly<Record<string, string>> = {
  verl: "extra_fields",
  slime: "metadata",
  atif: "extra",
};

test("every line says its rollout, its group, how many lines the rollout has, and its weight", async () => {
  const job = await brokenJob();
  const perRollout = ["trl", "atif"];
  for (const { name, columns } of exportFormats) {
    if (name === "openai-finetuning") continue;
    const lines = await exported(job, name);
    const place = inner[name];
    const said = lines.map((line) => (place === undefined ? line : line[place])) as Record<
      string,
      unknown
    >[];
    for (const line of lines) expect(columns).toEqual(expect.arrayContaining(Object.keys(line)));
    const [first, second] = ["s1", "s2"].map((id) =>
      said.filter((line) => line.simulation_id === id),
    );
    const number = perRollout.includes(name) ? 1 : 2;
    expect([name, first?.length, second?.length]).toEqual([name, number, 1]);
    for (const line of first ?? [])
      expect(line).toMatchObject({
        group: `${job.job_id}/g1`,
        rollout_lines: number,
        weight: 1 / number,
      });
    expect(second).toMatchObject([{ group: `${job.job_id}/s2`, rollout_lines: 1, weight: 1 }]);
    const ids = [first, second].map((all) => [
      ...new Set(all?.map(({ rollout_id }) => rollout_id)),
    ]);
    expect(ids.map((list) => list.length)).toEqual([1, 1]);
    expect(ids[0]).not.toEqual(ids[1]);
    const total = said.reduce(
      (sum, { weight, reward }) => sum + Number(weight) * Number(reward),
      0,
    );
    expect(total).toBeCloseTo(1.5);
  }
});

test("trl has a row for each rollout: its best sequence, and what the others would have had", async () => {
  const rows = await exported(await brokenJob(), "trl");
  expect(rows).toMatchObject([
    { prompt_ids: [7, 8], completion_ids: [9, 10, 11], rollout_sequences: 2, left_out_tokens: 1 },
    { prompt_ids: [1, 2], completion_ids: [3], rollout_sequences: 1, left_out_tokens: 0 },
  ]);
});

test("rewards and weights are numbers with a decimal point, wherever a format has them", async () => {
  const { store, job_id } = await brokenJob();
  for (const format of exportFormats) {
    let text = "";
    for await (const line of exportRollouts(store, { format, job_id })) text += line;
    const numbers = [...text.matchAll(/"(?:reward|rewards|reward_score)":(-?[\d.]+)/g)];
    expect([format.name, numbers.length > 0]).toEqual([
      format.name,
      format.name !== "openai-finetuning",
    ]);
    for (const [, number] of numbers) expect(number).toMatch(/^\d+\.\d+$/);
  }
});

test("several answers to equal messages are a conversation each; one that retries another takes its place", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  const asked = [system, question];
  const say = (content: string) => ({ role: "assistant", content });
  const step = (at: number, messages: object[], content: string, meta: object = {}) =>
    job.step(session_id, stepOf(at, messages, answer(say(content), [1], [2]), meta));
  const thought = { ...say("four"), reasoning_content: "2, then 2 more." };
  await job.step(session_id, stepOf(0, asked, answer(thought, [1], [2])));
  await step(1, asked, "4");
  await step(2, asked, "5", { retry_of: 2 });
  const more = { role: "user", content: "And 3 + 3?" };
  // Goes on from the first answer, although others came later. It trims the text and drops the reasoning.
  await step(3, [...asked, say(" four"), more], "six");
  await step(4, [...asked, say("four"), more], "6");
  // An agent that does not give the answer back.
  await step(5, [...asked, more], "six?");
  await job.finish(session_id, 1);
  const lines = await exported(job, "messages");
  const said = lines.map(({ messages }) =>
    (messages as { role: string; content: string; train?: boolean }[])
      .filter(({ role }) => role === "assistant")
      .map(({ content, train = true }) => (train ? content : `(${content})`)),
  );
  expect(said).toEqual([["5"], ["four", "six"], ["(four)", "6"], ["six?"]]);
  expect(lines[1]?.messages).toContainEqual(thought);
  const openai = await exported(job, "openai-finetuning");
  expect(openai.map(({ messages }) => JSON.stringify(messages).includes('"weight":0'))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  const [trajectory] = await exported(job, "atif");
  expect(JSON.stringify(trajectory).match(/"is_copied_context":true/g)).toHaveLength(1);
});

test("the choices of an answer are a conversation each", async () => {
  const job = database.newJob();
  const session_id = await job.claim("s1");
  const choices = ["a", "b"].map((content, index) => ({
    index,
    message: { role: "assistant", content },
  }));
  await job.step(session_id, stepOf(0, [question], JSON.stringify({ choices })));
  const next = [question, { role: "assistant", content: "a" }, question];
  await job.step(
    session_id,
    stepOf(1, next, answer({ role: "assistant", content: "c" }, [1], [2])),
  );
  await job.finish(session_id, 1);
  const lines = await exported(job, "openai-finetuning");
  const said = lines.map(({ messages }) =>
    (messages as { content: string }[]).map(({ content }) => content),
  );
  expect(said).toEqual([
    ["2 + 2?", "b"],
    ["2 + 2?", "a", "2 + 2?", "c"],
  ]);
});

test("a rollout of one sequence is one line of weight 1", async () => {
  const job = await rewardedJob(database.newJob());
  expect(await exported(job, "verl")).toMatchObject([
    { extra_fields: { rollout_lines: 1, weight: 1 } },
  ]);
});
