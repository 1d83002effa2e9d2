import { type FaultyUpstream, startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatRequest, onlyStep } from "../telemetry/bound-calls.ts";

// Embeddings are recorded, use no step budget, and never earn a reward.

let upstream: FaultyUpstream;
let gateway: TestGateway;
const answer = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [1, 2, 3] }],
  usage: { prompt_tokens: 7, total_tokens: 7 },
};
const completion = {
  choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }],
};

beforeAll(async () => {
  upstream = await startFaultyUpstream(
    ({ path }, reply) => void reply.json(path.endsWith("/embeddings") ? answer : completion),
  );
  gateway = await startGateway({ llm_routes: routes(), max_steps: 1 });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const routes = () => ({ policy: { base_url: upstream.url } });
const input = { model: "policy", input: "Hello" };

async function embed(session_id: string, on: TestGateway = gateway): Promise<Response> {
  const response = await on.post(`/v1/sessions/${session_id}/embeddings`, input);
  expect(await response.json()).toEqual(answer);
  return response;
}

async function chat(session_id: string, on: TestGateway = gateway): Promise<string | null> {
  const response = await on.post(`/v1/sessions/${session_id}/chat/completions`, chatRequest());
  await response.text();
  return response.headers.get("x-gateway-step-id") ?? response.headers.get("x-gateway-stop");
}

test("they use no budget, before it is spent and after", async () => {
  await embed("budget");
  expect(await chat("budget")).toBe("1");
  expect(await chat("budget")).toBe("max_steps");
  await embed("budget");
  const rows = gateway.steps("budget").map(({ step_id, meta }) => [step_id, meta.endpoint]);
  expect(rows).toEqual([
    [-1, "embeddings"],
    [1, "chat_completions"],
    [-2, "embeddings"],
  ]);
  const status = await (await fetch(gateway.sessionUrl("budget"))).json();
  expect(status).toMatchObject({
    models: { policy: { steps: 1, successes: 1, latest_success_step: 1, prompt_tokens: 14 } },
  });
});

test("they are never the latest success, from memory or from storage, and numbers continue after a restart", async () => {
  await using folder = await temporaryFolder();
  const latest = async (on: TestGateway): Promise<unknown> =>
    (await fetch(`${on.sessionUrl("restart")}/latest-success-step?model=policy`)).json();
  const is = (step_id: number | null) => ({ session_id: "restart", model: "policy", step_id });
  const config = { llm_routes: routes() };
  {
    await using first = await startGateway(config, { folder: folder.path });
    await embed("restart", first);
    expect(await latest(first)).toEqual(is(null));
  }
  await using second = await startGateway(config, { folder: folder.path });
  expect(await latest(second)).toEqual(is(null));
  await embed("restart", second);
  expect(await chat("restart", second)).toBe("1");
  expect(await latest(second)).toEqual(is(1));
  expect(second.steps("restart").map(({ step_id }) => step_id)).toEqual([-1, -2, 1]);
});

test("a row has the vectors if telemetry.capture_embeddings is set", async () => {
  await using other = await startGateway({
    llm_routes: routes(),
    telemetry: { capture_embeddings: true },
  });
  await embed("vectors", other);
  expect((await onlyStep(other, "vectors")).response).toBe(JSON.stringify(answer));
});
