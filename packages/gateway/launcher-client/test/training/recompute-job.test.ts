import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { type Listening, listen } from "@proj/test-kit";
import { expect, test } from "vitest";
import { RecomputeError, recomputeJob } from "../../src/index.ts";
import { startGateway } from "../start-gateway.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import { rewardedJob } from "./rewarded-job.ts";

const database = sharedDatabase();
const ids = [1, 2, 3, 10, 11, 4, 12];
/** With these the job's tokens were recorded. */
const recorded = (id: number): number => -id / 100;

interface Asked {
  readonly path: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an engine answers to a request for the log probabilities of a prompt. */
type Engine = (prompt: readonly number[], logprobOf: (id: number) => number) => object;

const vllm: Engine = (prompt, logprobOf) => ({
  choices: [
    {
      text: "",
      prompt_logprobs: prompt.map((id, at) =>
        at === 0 ? null : { [id]: { logprob: logprobOf(id), rank: 1, decoded_token: "x" } },
      ),
    },
  ],
});
const sglang: Engine = (prompt, logprobOf) => ({
  text: "",
  meta_info: {
    input_token_logprobs: prompt.map((id, at) => [at === 0 ? null : logprobOf(id), id, null]),
  },
});

async function startEngine(engine: Engine, logprobOf: (id: number) => number) {
  const asked: Asked[] = [];
  const server = await listen(
    createServer(async (req, res) => {
      const body = (await json(req)) as Record<string, number[]>;
      asked.push({ path: req.url, body });
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify(engine(body.prompt ?? body.input_ids ?? [], logprobOf)));
    }),
  );
  return Object.assign(server, { asked });
}

const recompute = async (engine: "vllm" | "sglang" | null, ...servers: readonly Listening[]) => {
  const base_urls = servers.map(({ url }) => `${url}/v1`);
  await using gateway = await startGateway({
    config: { llm_routes: { policy: { base_urls, upstream_model: "tiny", engine } } },
  });
  const { store, job_id } = await rewardedJob(database.newJob());
  return await recomputeJob(store, job_id, { baseUrl: gateway.url, route: "policy" });
};

test("vLLM is asked for what is delivered through the job's own route, and equal weights have no difference", async () => {
  await using engine = await startEngine(vllm, (id) => (id < 10 ? -99 : recorded(id)));
  const found = await recompute("vllm", engine);
  expect(engine.asked).toMatchObject([
    { path: "/v1/completions", body: { model: "tiny", prompt: ids, prompt_logprobs: 0 } },
  ]);
  // Of context and prompts nothing is compared.
  expect(found).toMatchObject({ sequences: 1, tokens: 3, without_logprobs: 0 });
  expect(found).toMatchObject({ max_difference: 0, mean_difference: 0 });
  expect(await recompute(null, engine)).toMatchObject({ tokens: 3, max_difference: 0 });
});

test("SGLang is asked for its input's log probabilities", async () => {
  await using engine = await startEngine(sglang, recorded);
  expect(await recompute("sglang", engine)).toMatchObject({ tokens: 3, max_difference: 0 });
  expect(engine.asked).toMatchObject([
    { path: "/generate", body: { input_ids: ids, return_logprob: true, logprob_start_len: 0 } },
  ]);
});

test.for([
  ["vllm", vllm, { step: "policy/1", at: 4, id: 11 }],
  ["sglang", sglang, { step: "policy/3", at: 6, id: 12 }],
] as const)(
  "of two %s engines the one that loaded half of its weights is named, with its token",
  async ([name, shape, place]) => {
    await using whole = await startEngine(shape, recorded);
    await using half = await startEngine(
      shape,
      (id) => recorded(id) - (id === place.id ? 0.25 : 0),
    );
    const found = await recompute(name, whole, half);
    expect(found).toMatchObject({ sequences: 1, tokens: 6 });
    expect(found.max_difference).toBeCloseTo(0.25);
    expect(found.mean_difference).toBeCloseTo(0.25 / 6);
    expect(found.largest_at).toMatchObject({
      ...{ simulation_id: "s1", ...place },
      ...{ recorded: recorded(place.id), upstream: `${half.url}/v1` },
    });
  },
);

test("an engine that does not say them is an error, and so is one that refuses or is away", async () => {
  await using silent = await startEngine(() => ({ choices: [{ text: "" }] }), recorded);
  await using other = await startEngine(
    (prompt, logprobOf) => sglang(prompt.toReversed(), logprobOf),
    recorded,
  );
  await using refusing = await listen(
    createServer((_req, res) => res.writeHead(400).end('{"error":{"message":"too long"}}')),
  );
  await using away = await listen(createServer());
  await away.close();
  for (const [engine, server, message] of [
    ["vllm", silent, "does not say the log probabilities of a prompt"],
    ["sglang", other, "does not say the log probabilities of a prompt"],
    ["vllm", refusing, "It answers 400: too long"],
    ["vllm", away, "cannot be reached"],
  ] as const) {
    const failure = await recompute(engine, server).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RecomputeError);
    expect(String(failure)).toContain(message);
  }
});

test("of a job without rollouts nothing is compared", async () => {
  const { store, job_id } = database.newJob();
  const options = { baseUrl: "http://127.0.0.1:1", route: "policy" };
  expect(await recomputeJob(store, job_id, options)).toMatchObject({
    ...{ sequences: 0, tokens: 0, max_difference: 0, mean_difference: 0, largest_at: null },
  });
});
