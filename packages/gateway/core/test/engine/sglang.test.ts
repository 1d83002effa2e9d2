import { startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { endOfTurn, tokenizer } from "./engine-server.ts";

test("SGLang takes the prompt's ids, and tells what it sampled in its last chunk", async () => {
  await using upstream = await startFaultyUpstream(async (request, reply) => {
    const { input_ids, kv_transfer_params, ...asked } = JSON.parse(request.body.toString());
    expect(asked).toMatchObject({
      ...{ return_input_ids_in_sglext: true, return_output_ids_in_sglext: true },
      ...{ return_input_ids: true, return_output_ids: true },
    });
    expect(kv_transfer_params).toBeUndefined();
    const chunk = (members: object): Promise<boolean> =>
      reply.write(`data: ${JSON.stringify({ id: "1", model: "policy", ...members })}\n\n`);
    const choice = (content: string, logprob: number, finish_reason: string | null) => {
      const logprobs = { content: [{ token: content, logprob }] };
      return { choices: [{ index: 0, delta: { content }, logprobs, finish_reason }] };
    };
    await reply.startEvents();
    await chunk(choice("Yes", -0.5, null));
    await chunk(choice("", -0.25, "stop"));
    const weight_versions = [
      { version: "7", start: 0, end: 1 },
      { version: "8", start: 1, end: 2 },
    ];
    await chunk({
      choices: [],
      sglext: { input_ids, output_ids: [[51, endOfTurn]] },
      metadata: { weight_versions },
    });
    await reply.write("data: [DONE]\n\n");
    await reply.end();
  });
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, engine: "sglang", tokenizer } },
  });
  const ask = async (messages: object[]): Promise<void> => {
    const body = { model: "policy", max_tokens: 9, messages };
    await (await gateway.post("/v1/sessions/s/messages", body)).text();
  };
  const first = [{ role: "user", content: "Sure?" }];
  await ask(first);
  await ask([
    ...first,
    { role: "assistant", content: "Yes" },
    { role: "user", content: "Really?" },
  ]);
  const [one, two] = gateway
    .steps("s")
    .map(({ response }) => JSON.parse(response ?? "null").engine);
  expect(one).toMatchObject({
    token_ids: [51, endOfTurn],
    logprobs: [-0.5, -0.25],
    versions: [
      { version: "7", start: 0, end: 1 },
      { version: "8", start: 1, end: 2 },
    ],
    prompt_mismatch: false,
  });
  expect(two).toMatchObject({ made: "continued" });
  const prompts = upstream.requests.map(({ body }) => JSON.parse(body.toString()).input_ids);
  expect(prompts[1].slice(0, prompts[0].length + 2)).toEqual([...prompts[0], 51, endOfTurn]);
});
