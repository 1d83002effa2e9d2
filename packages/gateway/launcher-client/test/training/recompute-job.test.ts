import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "@proj/test-kit";
import { expect, test } from "vitest";
import { RecomputeError, recomputeJob } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import { rewardedJob } from "./rewarded-job.ts";

const database = sharedDatabase();

interface Asked {
  readonly model: string;
  readonly prompt: number[];
  readonly prompt_logprobs: number;
}

/** An engine that says, of each token of a prompt, what `logprobOf` does. */
async function startEngine(logprobOf: (id: number) => number | null) {
  const asked: Asked[] = [];
  const server = await listen(
    createServer(async (req, res) => {
      const body = (await json(req)) as Asked;
      asked.push(body);
      const entries = body.prompt.map((id, at) => {
        const logprob = logprobOf(id);
        return at === 0 || logprob === null ? null : { [id]: { logprob, rank: 1 } };
      });
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ choices: [{ text: "", prompt_logprobs: entries }] }));
    }),
  );
  return Object.assign(server, { asked });
}

test("the engine is asked for what is delivered, and the token that differs most is named", async () => {
  const { store, job_id } = await rewardedJob(database.newJob());
  // The job's tokens were recorded with these.
  await using engine = await startEngine((id) => -id / 100 - (id === 11 ? 0.25 : 0));
  const found = await recomputeJob(store, job_id, { baseUrl: engine.url, route: "policy" });
  expect(engine.asked).toMatchObject([
    { model: "policy", prompt: [1, 2, 3, 10, 11, 4, 12], prompt_logprobs: 0 },
  ]);
  expect(found).toMatchObject({ sequences: 1, tokens: 3, without_logprobs: 0 });
  expect(found.max_difference).toBeCloseTo(0.25);
  expect(found.mean_difference).toBeCloseTo(0.25 / 3);
  expect(found.largest_at).toMatchObject({
    ...{ simulation_id: "s1", step: "policy/1", at: 4, id: 11 },
    recorded: -0.11,
  });
});

test("equal log probabilities have no difference, of context and prompts none is compared", async () => {
  const { store, job_id } = await rewardedJob(database.newJob());
  await using engine = await startEngine((id) => (id < 10 ? -99 : -id / 100));
  const found = await recomputeJob(store, job_id, { baseUrl: engine.url, route: "policy" });
  expect(found).toMatchObject({ tokens: 3, max_difference: 0, mean_difference: 0 });
});

test("an engine that does not say them is an error, and so is a route that refuses", async () => {
  const { store, job_id } = await rewardedJob(database.newJob());
  await using silent = await startEngine(() => null);
  await using refusing = await listen(createServer((_req, res) => res.writeHead(404).end("no")));
  for (const [baseUrl, message] of [
    [silent.url, "does not say the log probabilities of a prompt"],
    [refusing.url, "answered status 404"],
  ] as const) {
    const recomputing = recomputeJob(store, job_id, { baseUrl, route: "policy" });
    await expect(recomputing).rejects.toThrow(RecomputeError);
    await expect(recomputing).rejects.toThrow(message);
  }
});
