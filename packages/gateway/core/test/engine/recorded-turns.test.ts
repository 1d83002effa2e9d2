import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import {
  type EngineServer,
  ended,
  endOfTurn,
  said,
  startEngine,
  tokenizer,
} from "./engine-server.ts";

const turns = [
  [said("I ", 11), said("press.", 12), ended],
  [said("Yes.", 21), ended],
  [said("No.", 31), ended],
];
const first = [{ role: "user", content: "Press a." }];
const second = [
  ...first,
  { role: "assistant", content: "I press." },
  { role: "user", content: "Sure?" },
];
const third = [
  ...second,
  { role: "assistant", content: "Yes." },
  { role: "user", content: "Really?" },
];

const tools = [{ type: "function", function: { name: "press" } }];

function gatewayOf(engine: EngineServer, folder: string): Promise<TestGateway> {
  // The engine's own form of a tool, and the route's members, are not in the rows.
  const extra_body = { chat_template_kwargs: { enable_thinking: false } };
  const policy = { base_url: engine.url, engine: "vllm", tokenizer, extra_body };
  return startGateway({ llm_routes: { policy } }, { folder });
}

async function ask(gateway: TestGateway, session: string, messages: object[], stream = false) {
  // Named from the second step on; the template does not read it.
  const effort = messages.length === 1 ? {} : { reasoning_effort: "high" };
  const body = { model: "policy", messages, stream, tools, ...effort };
  const answer = await gateway.post(`/v1/sessions/${session}/chat/completions`, body);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.not.stringContaining("token_ids")]);
  return text;
}

const engineOf = (gateway: TestGateway, session: string) =>
  gateway.steps(session).map(({ response }) => JSON.parse(response ?? "null").engine);

test("a gateway that was started again continues a session's turns", async () => {
  await using folder = await temporaryFolder();
  await using engine = await startEngine(turns);
  {
    await using gateway = await gatewayOf(engine, folder.path);
    await ask(gateway, "s", first);
    await ask(gateway, "s", second);
  }
  await using gateway = await gatewayOf(engine, folder.path);
  await ask(gateway, "s", third);
  const [, before = [], after = []] = engine.prompts;
  expect(after.slice(0, before.length + 2)).toEqual([...before, 21, endOfTurn]);
  expect(engineOf(gateway, "s").map(({ made }) => made)).toEqual([
    "rendered",
    "continued",
    "continued",
  ]);
});

test.each([false, true])(
  "a fork continues the turns that the record answered (streamed: %s)",
  async (stream) => {
    await using folder = await temporaryFolder();
    await using engine = await startEngine(turns);
    await using gateway = await gatewayOf(engine, folder.path);
    await ask(gateway, "s", first, stream);
    await ask(gateway, "s", second, stream);
    const forked = await gateway.post("/v1/sessions/f/fork", { from: "s" });
    expect(forked.status).toBe(200);
    await ask(gateway, "f", first, stream);
    await ask(gateway, "f", second, stream);
    await ask(gateway, "f", third, stream);
    // Only the third call asked the engine.
    const [, before = [], after = []] = engine.prompts;
    expect(engine.prompts).toHaveLength(3);
    expect(after.slice(0, before.length + 2)).toEqual([...before, 21, endOfTurn]);
    const [one, two, three] = engineOf(gateway, "f");
    expect([one, two]).toEqual(engineOf(gateway, "s"));
    expect(three).toMatchObject({ made: "continued" });
  },
);
