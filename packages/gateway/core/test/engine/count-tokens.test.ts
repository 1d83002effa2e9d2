import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { startEngine, tokenizer } from "./engine-server.ts";

test("tokens are counted as the engine would get them, in each API, without a step", async () => {
  await using engine = await startEngine([]);
  const policy = { base_url: engine.url, engine: "vllm", tokenizer };
  await using gateway = await startGateway({ llm_routes: { policy } });
  const count = async (path: string, body: object): Promise<unknown> => {
    const answer = await gateway.post(`/v1/sessions/s/${path}`, { model: "policy", ...body });
    return answer.json();
  };
  const messages = [{ role: "user", content: "Press a." }];
  const input = { instructions: "Be brief.", input: messages };
  const contents = [{ role: "user", parts: [{ text: "Press a." }] }];
  const counted = [
    await count("messages/count_tokens", { system: "Be brief.", messages }),
    await count("responses/input_tokens", input),
    await count("messages/count_tokens", { messages }),
    await count("models/policy:countTokens", { contents }),
  ];
  expect(engine.prompts).toEqual([]);
  const { usage } = (await (
    await gateway.post("/v1/sessions/s/responses", { model: "policy", ...input })
  ).json()) as { usage: { input_tokens: number } };
  await gateway.post("/v1/sessions/t/messages", { model: "policy", max_tokens: 9, messages });
  const lengths = engine.prompts.map(({ length }) => length);
  expect(usage.input_tokens).toBe(lengths[0]);
  expect(counted).toEqual([
    { input_tokens: lengths[0] },
    { object: "response.input_tokens", input_tokens: lengths[0] },
    { input_tokens: lengths[1] },
    { totalTokens: lengths[1] },
  ]);
  expect(gateway.steps("s")).toHaveLength(1);
  const source = { type: "url", url: "https://h/a.png" };
  const image = { role: "user", content: [{ type: "image", source }] };
  expect(await count("messages/count_tokens", { messages: [image] })).toMatchObject({
    type: "error",
    error: { type: "invalid_request_error", message: expect.stringContaining("images") },
  });
});
