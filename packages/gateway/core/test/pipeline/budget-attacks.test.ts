import { messageObject, responseObject, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";

// An agent that would like its calls to hold less than they use. Every call uses 100 tokens.
const endpoints = [
  ...["chat_completions", "completions", "responses", "messages", "embeddings", "generate_content"],
];
const usage = { prompt_tokens: 10, completion_tokens: 90 };
const choice = { index: 0, finish_reason: "stop", text: "x", message: { content: "x" } };
const gemini = {
  candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 90 },
};
let made = 0;
const answers: Readonly<Record<string, () => object>> = {
  "chat/completions": () => ({ choices: [choice], usage }),
  completions: () => ({ choices: [choice], usage }),
  responses: () => ({
    ...responseObject({ id: `resp_${++made}` }),
    usage: { input_tokens: 90, output_tokens: 10, total_tokens: 100 },
  }),
  messages: () => ({ ...messageObject(), usage: { input_tokens: 10, output_tokens: 90 } }),
  "models/demo:generateContent": () => gemini,
  embeddings: () => ({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 100 } }),
};

let upstream: Awaited<ReturnType<typeof startFaultyUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream(async ({ headers, path }, reply) => {
    await atOnce.get(headers["x-session-id"] ?? "")?.();
    const [, name = ""] = /\/v1\/(.*)$/.exec(path) ?? [];
    await reply.json(answers[name]?.() ?? {});
  });
  gateway = await startGateway({
    max_tokens: 500,
    reserve: 1,
    max_ignored_stops: -1,
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 64, endpoints } },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const callsAtOnce = 20;

/** By session: resolves for the first calls once as many have come as the budget lets through at once. */
const atOnce = new Map<string, () => Promise<void>>();

function waitForOthers(session_id: string, count: number): void {
  const all = Promise.withResolvers<void>();
  let came = 0;
  atOnce.set(session_id, () => {
    came += 1;
    // More than that must not come; if they did, they would all be answered.
    if (came === count)
      waitFor(async () => {
        const { in_flight } = await sessionClient(gateway, session_id).status();
        return in_flight === callsAtOnce;
      }, "all calls").then(() => all.resolve(), all.reject);
    return came <= count ? all.promise : Promise.resolve();
  });
}

/** Asks 20 times at once with a budget for five calls, four of which fit in at once. */
async function spend(session_id: string, path: string, text: string, first?: string) {
  const ask = (body: string): Promise<Response> =>
    gateway.post(`/v1/sessions/${session_id}/${path}`, body, {
      "content-type": "application/json",
    });
  const id = first === undefined ? "" : Object(await (await ask(first)).json()).id;
  waitForOthers(session_id, first === undefined ? 4 : 3);
  const asked = Array.from({ length: callsAtOnce }, (_, index) =>
    ask(text.replace("#", String(index)).replace("ID", id)),
  );
  const statuses = await Promise.all(
    asked.map(async (answer) => {
      const { status, headers } = await answer;
      return headers.get("x-gateway-stop") ?? status;
    }),
  );
  const { tokens } = await sessionClient(gateway, session_id).status();
  return { tokens, statuses };
}

test.each([
  ["a count in quotes", "chat/completions", '"max_tokens":"100","messages":[]'],
  ["a name twice", "chat/completions", '"max_tokens":100,"max_tokens":1,"messages":[]'],
  ["a name in capitals", "chat/completions", '"max_tokens":1,"MAX_TOKENS":100.0,"messages":[]'],
  ["many answers", "chat/completions", '"max_tokens":1,"n":"100","messages":[]'],
  [
    "many prompts",
    "completions",
    `"max_tokens":10,"prompt":${JSON.stringify(Array(10).fill("a"))}`,
  ],
  ["prompts in token ids", "completions", '"max_tokens":50,"prompt":[[1],[2]]'],
  ["a count in quotes", "responses", '"max_output_tokens":"100","input":"x"'],
  ["an exponent", "messages", '"max_tokens":1e2,"messages":[]'],
  [
    "a second place",
    "models/demo:generateContent",
    '"generationConfig":{},"generation_config":{"max_output_tokens":100}',
  ],
])(
  "with %s, calls to %s at once cannot spend more than their budget",
  async (how, path, members) => {
    const session_id = `${how} ${path}`.replaceAll(/\W+/g, "-");
    const { tokens, statuses } = await spend(
      session_id,
      path,
      `{"model":"demo","user":"#",${members}}`,
    );
    expect(tokens).toBe(500);
    expect(statuses.filter((status) => status === "max_tokens")).toHaveLength(15);
  },
);

test("a history that a request names instead of repeating it is held too", async () => {
  const asked = '{"model":"demo","max_output_tokens":10,"input":"#"';
  const named = `${asked},"previous_response_id":"ID"}`;
  expect((await spend("named", "responses", named, `${asked}}`)).tokens).toBe(500);
});

test("embeddings whose caller leaves count as what they held", async () => {
  atOnce.set("left", () => new Promise(() => {}));
  const body = JSON.stringify({ model: "demo", input: "a".repeat(400) });
  const url = `${gateway.sessionUrl("left")}/embeddings`;
  for (let call = 0; call < 5; call += 1) {
    const leaving = new AbortController();
    const { signal } = leaving;
    const asked = fetch(url, { method: "POST", body, signal }).catch(() => null);
    const came = () =>
      upstream.requests.filter(({ headers }) => headers["x-session-id"] === "left");
    await waitFor(() => came().length > call, "the request");
    leaving.abort();
    await asked;
    await waitFor(
      async () => (await sessionClient(gateway, "left").status()).in_flight === 0,
      "its end",
    );
  }
  expect((await fetch(url, { method: "POST", body })).status).toBe(400);
});

test("embeddings hold their texts, and are refused once nothing is left", async () => {
  const text = `{"model":"demo","input":"${"a".repeat(360)}#"}`;
  const { tokens, statuses } = await spend("vectors", "embeddings", text);
  expect(tokens).toBe(500);
  expect(statuses.toSorted()).toEqual([...Array(5).fill(200), ...Array(15).fill(400)]);
});
