import { expect, test } from "vitest";
import type { NewScore, ScoreKey } from "../../../src/score.ts";
import { claimedAttempt, newJobId, rewardOf, sharedJobs, writeStep } from "../../temporary-jobs.ts";

const database = sharedJobs();

const scoreOf = (session_id: string, changes: Partial<NewScore> = {}): NewScore => ({
  session_id,
  name: "polite",
  author: "judge:strict",
  repetition: 1,
  value: 3,
  label: null,
  comment: "short",
  judged_in: "judge-1",
  ...changes,
});

test("a score that is written again is replaced, and the scores of a batch are written together", async () => {
  const { jobs } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  await jobs.writeScores([scoreOf(session_id), scoreOf(session_id, { repetition: 2, value: 1 })]);
  await jobs.writeScores([scoreOf(session_id, { value: 4, comment: null })]);
  const { scores, next_after } = await jobs.readScores({ job_id });
  expect(scores).toEqual([
    { ...scoreOf(session_id, { value: 4, comment: null }), created_at: expect.any(String) },
    { ...scoreOf(session_id, { repetition: 2, value: 1 }), created_at: expect.any(String) },
  ]);
  expect(next_after).toBeNull();
  const bad = scoreOf(session_id, { repetition: 3, value: Number.NaN });
  await expect(jobs.writeScores([scoreOf(session_id, { repetition: 4 }), bad])).rejects.toThrow(
    TypeError,
  );
  expect((await jobs.readScores({ job_id })).scores).toHaveLength(2);
});

test("scores are read page by page, each once", async () => {
  const { jobs } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  const authors = ["judge:b", "judge:a", "person:z"];
  const written = authors.flatMap((author) =>
    [1, 2].map((repetition) => scoreOf(session_id, { author, repetition })),
  );
  await jobs.writeScores(written);
  const read: string[] = [];
  let after: ScoreKey | undefined;
  do {
    const page = await jobs.readScores({ job_id, after, limit: 4 });
    read.push(...page.scores.map(({ author, repetition }) => `${author} ${repetition}`));
    after = page.next_after ?? undefined;
  } while (after !== undefined);
  expect(read).toEqual(
    ["judge:a", "judge:b", "person:z"].flatMap((author) => [`${author} 1`, `${author} 2`]),
  );
});

test("a reward and the evaluation's named scores become the evaluator's, until it is evaluated again", async () => {
  const { jobs, store } = database;
  const { job_id, session_id } = await claimedAttempt(jobs);
  await writeStep(store, session_id);
  const evaluation = JSON.stringify({
    score: 0.5,
    scores: { tidy: true, style: "terse", bad: [] },
  });
  await jobs.commitReward(rewardOf(session_id, { evaluation }));
  await jobs.writeScores([scoreOf(session_id)]);
  const said = async () =>
    (await jobs.readScores({ job_id })).scores.map(
      ({ author, name, value, label }) => `${author} ${name} ${value ?? label}`,
    );
  expect(await said()).toEqual([
    "judge:strict polite 3",
    "evaluator reward 0.5",
    "evaluator style terse",
    "evaluator tidy 1",
  ]);
  await jobs.replaceReward({ ...rewardOf(session_id), reward: 1, evaluation: '{"score":1}' });
  expect(await said()).toEqual(["judge:strict polite 3", "evaluator reward 1"]);
});

test("what people are asked about a job is stored, and replaced as a whole", async () => {
  const { jobs } = database;
  const job_id = newJobId();
  expect(await jobs.readReview(job_id)).toBeNull();
  const criteria = [{ name: "tone", about: "How it speaks.", values: ["kind", "curt"] }];
  const rubric = { name: "strict", instructions: "Say how it went: „well”?", criteria };
  await jobs.writeReview({ job_id, rubric, reviewers: 2 });
  expect(await jobs.readReview(job_id)).toEqual({ job_id, rubric, reviewers: 2 });
  await jobs.writeReview({ job_id, rubric: { ...rubric, criteria: [] }, reviewers: 1 });
  expect(await jobs.readReview(job_id)).toEqual({
    ...{ job_id, reviewers: 1 },
    rubric: { ...rubric, criteria: [] },
  });
});
