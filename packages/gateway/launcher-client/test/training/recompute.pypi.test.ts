import { isLeftOutWithoutVllm, startVllm, type Vllm } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recomputeJob } from "../../src/index.ts";
import { type Agents, type PlayedJob, playJob, question, system } from "./played-job.ts";

const isLeftOut = isLeftOutWithoutVllm("log probabilities computed again by the real vLLM");

const agents: Agents = {
  talks: {
    ...{ group_id: null, reward: 1 },
    play: async (ask) => {
      const messages: object[] = [system, question];
      for (let turn = 0; turn < 3; turn += 1) {
        const { choices = [] } = await ask("chat/completions", { messages, max_tokens: 20 });
        messages.push(choices[0]?.message ?? {}, { role: "user", content: `go on ${turn}` });
      }
    },
  },
};

describe.skipIf(isLeftOut)("with the real vLLM", () => {
  let vllm: Vllm;
  let job: PlayedJob;
  beforeAll(async () => {
    vllm = await startVllm();
    const upstream = { base_url: vllm.url, upstream_model: "tiny" };
    const policy = { ...upstream, engine: "vllm", tokenizer: vllm.model };
    job = await playJob(agents, { policy });
  }, 400_000);
  afterAll(async () => {
    await job?.[Symbol.asyncDispose]();
    await vllm?.[Symbol.asyncDispose]();
  });

  test("log probabilities that it recorded are those that it computes of the sequence", async () => {
    const asking = { baseUrl: job.gateway_url, route: "policy" };
    const found = await recomputeJob(job.store, job.job_id, asking);
    expect(found.tokens).toBeGreaterThan(2);
    expect(found.max_difference).toBeLessThan(1e-3);
  });
});
