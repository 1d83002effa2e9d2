import {
  chatCompletion,
  type FaultyUpstream,
  messageObject,
  responseObject,
  startFaultyUpstream,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { stepsOnceThereAre } from "../telemetry/bound-calls.ts";

// Titles and memory are not the policy's work: they use none of its budget, and never get its reward.

let upstream: FaultyUpstream;
let gateway: TestGateway;
const when = [
  { name: "kind", request_kind: "memory" },
  { name: "purpose", header: { "X-Purpose": "guardrail" } },
  { name: "title", system: "title generator", tools: false },
];

beforeAll(async () => {
  const answers: Readonly<Record<string, () => object>> = {
    "/v1/chat/completions": chatCompletion,
    "/v1/responses": responseObject,
    "/v1/messages": messageObject,
  };
  upstream = await startFaultyUpstream(({ path }, reply) => void reply.json(answers[path]?.()));
  const route = {
    base_url: upstream.url,
    endpoints: ["chat_completions", "responses", "messages"],
  };
  gateway = await startGateway({
    llm_routes: { policy: { ...route, side_calls: { route: "aside", when } }, aside: route },
    max_steps: 2,
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const tools = [{ type: "function", function: { name: "look", parameters: {} } }];
const user = { role: "user", content: "You are a title generator, are you not?" };
const titles = "You are a title generator.\nOne line.";
const system = { role: "system", content: titles };

async function call(
  session_id: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
  path = "/chat/completions",
): Promise<string | null> {
  const request = { model: "policy", ...body };
  const answer = await gateway.post(`/v1/sessions/${session_id}${path}`, request, headers);
  await answer.text();
  return answer.headers.get("x-gateway-stop");
}

/** Model, number, rule and agent of each row. */
const rowsOf = (session_id: string): unknown[] =>
  gateway.steps(session_id).map(({ model, step_id, meta }) => [model, step_id, meta.side_call]);

test("a side call counts for the steps, budget and successes of the side route", async () => {
  const session = sessionClient(gateway, "titled");
  const titled = { messages: [system, user] };
  const work = (n: number) => ({ messages: [{ role: "user", content: `${n}` }], tools });
  expect(await call("titled", titled)).toBeNull();
  expect(await call("titled", work(1))).toBeNull();
  expect(await call("titled", work(2))).toBeNull();
  expect(await call("titled", { ...titled, seed: 1 })).toBeNull();
  // Each of the two has used up its own budget.
  expect(await call("titled", work(3))).toBe("max_steps");
  expect(await call("titled", { ...titled, seed: 2 })).toBe("max_steps");
  await stepsOnceThereAre(gateway, "titled", 4);
  expect(rowsOf("titled")).toEqual([
    ["aside", 1, "title"],
    ["policy", 1, undefined],
    ["policy", 2, undefined],
    ["aside", 2, "title"],
  ]);
  expect(await session.latestSuccessStep("policy")).toMatchObject({ step_id: 2 });
  expect(await session.latestSuccessStep("aside")).toMatchObject({ step_id: 2 });
  // The body is forwarded unchanged: the route decides on the model's upstream name.
  expect(JSON.parse(upstream.requests.at(-1)?.body.toString() ?? "").model).toBe("policy");
});

test.each<[string, string, Record<string, unknown>, Record<string, string>, string, unknown]>([
  [
    "a header with its value",
    "header",
    { messages: [user] },
    { "x-purpose": "guardrail" },
    "/chat/completions",
    "purpose",
  ],
  [
    "the header with another value",
    "other-header",
    { messages: [user] },
    { "x-purpose": "work" },
    "/chat/completions",
    undefined,
  ],
  [
    "the kind that the agent names",
    "kind",
    { messages: [user], tools },
    { "x-gateway-agent-request-kind": "memory" },
    "/chat/completions",
    "kind",
  ],
  [
    "the kind that Codex names",
    "codex",
    { input: "Hello" },
    { "x-codex-turn-metadata": JSON.stringify({ session_id: "s", request_kind: "memory" }) },
    "/responses",
    "kind",
  ],
  [
    "a developer's message in parts",
    "parts",
    { messages: [{ role: "developer", content: [{ type: "text", text: titles }] }, user] },
    {},
    "/chat/completions",
    "title",
  ],
  [
    "the second of the leading messages",
    "second",
    { messages: [{ role: "system", content: "Be brief." }, system, user] },
    {},
    "/chat/completions",
    "title",
  ],
  ["the user who says the same", "user", { messages: [user] }, {}, "/chat/completions", undefined],
  [
    "a system message after the user's",
    "late",
    { messages: [user, system] },
    {},
    "/chat/completions",
    undefined,
  ],
  [
    "tools, when the rule wants none",
    "tools",
    { messages: [system, user], tools },
    {},
    "/chat/completions",
    undefined,
  ],
  [
    "an empty list of tools",
    "no-tools",
    { tools: [], messages: [system, user] },
    {},
    "/chat/completions",
    "title",
  ],
  [
    "instructions",
    "instructions",
    { input: "Hello", instructions: titles },
    {},
    "/responses",
    "title",
  ],
  [
    "a system message among the input",
    "input",
    { input: [system, user] },
    {},
    "/responses",
    "title",
  ],
  [
    "Anthropic's system prompt",
    "system",
    { max_tokens: 9, messages: [user], system: titles },
    {},
    "/messages",
    "title",
  ],
  [
    "Anthropic's system prompt in blocks",
    "blocks",
    {
      system: [
        { type: "text", text: "Hi." },
        { type: "text", text: titles },
      ],
      max_tokens: 9,
      messages: [user],
    },
    {},
    "/messages",
    "title",
  ],
])("%s", async (_what, session_id, body, headers, path, rule) => {
  expect(await call(session_id, body, headers, path)).toBeNull();
  await stepsOnceThereAre(gateway, session_id, 1);
  expect(rowsOf(session_id)).toEqual([[rule === undefined ? "policy" : "aside", 1, rule]]);
});

test("without a matching rule, a call on the side route is that route's own", async () => {
  await call("own", { model: "aside", messages: [user] });
  await stepsOnceThereAre(gateway, "own", 1);
  expect(rowsOf("own")).toEqual([["aside", 1, undefined]]);
});
