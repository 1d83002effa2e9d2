import { startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { launch, startGateway } from "./launcher.ts";

const whole = (weight_version: string) => ({ weight_version });
/** What the engine says about the weights of each answer, in order; every answer has two tokens. */
const told: readonly object[] = [
  whole("step-1"),
  whole("step-3"),
  {
    weight_versions: [
      { version: "step-2", start: 0, end: 1 },
      { version: "step-4", start: 1, end: 2 },
    ],
  },
  {},
];

test("export --max-staleness masks tokens of older weights, leaves out what has no others, and says how many", async () => {
  const upstream = await startFaultyUpstream(({ order }, reply) => {
    const content = [0, 1].map((at) => ({ token: "a", logprob: -1 - at, top_logprobs: [] }));
    const message = { role: "assistant", content: "aa" };
    const choice = { index: 0, message, finish_reason: "stop", logprobs: { content } };
    return void reply.json({
      ...{ id: `chatcmpl-${order}`, object: "chat.completion", created: 1, model: "demo" },
      choices: [{ ...choice, token_ids: [8, 9] }],
      prompt_token_ids: [order, 2],
      metadata: told[order - 1],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    });
  });
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  await gateway.write("s.yaml", '[{"simulation_id":"it","env_params":{"steps":4}}]');
  await launch(gateway.run("s.yaml", "--job-id", "j"), { cwd: gateway.folder });
  await upstream.close();
  const masks = async (...more: string[]) => {
    const of = ["export", "--job-id", "j", "--db-path", gateway.db_url, "--format", "sequences"];
    const { stdout, stderr } = await launch([...of, ...more]);
    const lines = stdout.trimEnd().split("\n");
    return { stderr, masks: lines.map((line) => JSON.parse(line).loss_mask) };
  };
  const kept = [0, 0, 1, 1];
  expect(await masks()).toEqual({ stderr: "", masks: [kept, kept, kept, kept] });
  expect(await masks("--max-staleness", "1")).toEqual({
    stderr: "masked 3 tokens of older weights; kept 2 of unknown weights\n",
    masks: [kept, [0, 0, 0, 1], kept],
  });
});
