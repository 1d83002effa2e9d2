import { type DemoUpstream, startDemoUpstream } from "@proj/demo-upstream";
import type { SplitReason } from "@proj/sequences";
import { type JobStore, openJobStore } from "@proj/session-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { type TemporaryStorage, temporaryStorage } from "../temporary-storage.ts";
import { AgentSession, type Message } from "./agent-session.ts";

// A model behind a gateway, with a template that does on purpose what real ones do by accident.

let storage: TemporaryStorage;
let upstream: DemoUpstream;
let gateway: TestGateway;
let store: JobStore;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  const route = (demo: object) => ({
    base_url: upstream.url,
    extra_body: { return_token_ids: true, logprobs: true, demo },
  });
  const llm_routes = {
    exact: route({}),
    merging: route({ drift: "merge" }),
    sorting: route({ drift: "sort_arguments" }),
    thinking: route({ thinking: true }),
    stripping: route({ thinking: true, drift: "strip_thinking" }),
    // Sets no `demo`, so a request's own weight version reaches the upstream.
    versions: { base_url: upstream.url, extra_body: { return_token_ids: true } },
  };
  storage = await temporaryStorage();
  gateway = await startGateway({ storage, config: { llm_routes } });
  store = await openJobStore(storage);
});

afterAll(async () => {
  await store.close();
  await gateway.close();
  await upstream.close();
  await storage[Symbol.asyncDispose]();
});

/** A new reason must be added here, and then needs a test. */
const reasons: Readonly<Record<SplitReason, true>> = {
  first: true,
  sampled_again: true,
  different_agent: true,
  side_call: true,
  system_changed: true,
  tools_changed: true,
  truncated_parent: true,
  compacted: true,
  history_rewritten: true,
  tool_call_rerendered: true,
  thinking_stripped: true,
  retokenized: true,
  ambiguous_parent: true,
  version_changed: true,
};
const produced = new Set<SplitReason>();

let sessions = 0;
const newSession = (model = "exact"): AgentSession => {
  const session_id = `split-${++sessions}`;
  return new AgentSession(model, { session_id, gateway_url: gateway.url, store, produced });
};

const system: Message = { role: "system", content: "be brief" };
const question: Message = { role: "user", content: "What is 19 + 23?" };
const further: Message = { role: "user", content: "And 1 + 1?" };
const opening = [system, question];
const tools = (name: string) => ({
  tools: [{ type: "function", function: { name, parameters: { properties: { b: {}, a: {} } } } }],
});

test.each(["exact", "thinking"])(
  "%s: calls that extend each other are one sequence",
  async (model) => {
    const session = newSession(model);
    const answer = await session.ask(opening, tools("look"));
    const result = { role: "tool", tool_call_id: answer.tool_calls?.[0]?.id, content: "a door" };
    await session.ask([...opening, answer, result], { ...tools("look"), stream: false });
    const { sequences, ledger } = await session.rollout();
    expect(sequences.map(({ split }) => split.reason)).toEqual(["first"]);
    expect(sequences[0]?.spans.map(({ step }) => step)).toEqual(
      ["1", "1", "2", "2"].map((step) => `${model}/${step}`),
    );
    expect(ledger).toMatchObject({ delivered_fraction: 1, breaks_by_reason: { first: 1 } });
  },
);

test("streamed or not, the ids are the same", async () => {
  const session = newSession();
  const body = { model: "exact", messages: opening, stream: true };
  const url = `${gateway.url}/v1/sessions/split-streamed/chat/completions`;
  const headers = { "content-type": "application/json" };
  await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
  await session.ask(opening);
  const { sequences } = await session.rollout();
  const { steps } = await store.readSteps({ session_id: "split-streamed" });
  const streamed = JSON.parse(steps[0]?.response ?? "");
  expect([...(sequences[0]?.input_ids ?? [])]).toEqual([
    ...streamed.prompt_token_ids,
    ...streamed.choices[0].token_ids,
  ]);
  expect(streamed.choices[0].logprobs.content).toHaveLength(streamed.choices[0].token_ids.length);
});

test("side_call: another model", async () => {
  const session = newSession();
  const answer = await session.ask(opening);
  await session.ask([question], { model: "merging", max_tokens: 1 });
  await session.ask([...opening, answer, further]);
  const { ledger } = await session.rollout();
  expect(ledger.steps.map(({ reason, by }) => [reason, by])).toEqual([
    [null, null],
    ["side_call", "other_model"],
    [null, null],
  ]);
  expect((await session.lastSplit({ keep_side_calls: true }))?.reason).toBe("first");
  const kept = await session.rollout({ keep_side_calls: true });
  expect(kept.sequences.map(({ split }) => split.reason)).toContain("side_call");
});

test("different_agent: a subagent that identifies itself, beside its caller", async () => {
  const session = newSession();
  const answer = await session.ask(opening);
  await session.ask(
    [question],
    {},
    { "x-gateway-agent": "reviewer", "x-gateway-agent-parent": "main" },
  );
  await session.ask([...opening, answer, further]);
  const { sequences, ledger } = await session.rollout();
  expect(sequences.map(({ agent, split }) => [agent?.id, split.reason])).toEqual([
    ["reviewer", "different_agent"],
    [undefined, "first"],
  ]);
  expect(ledger).toMatchObject({
    delivered_fraction: 1,
    breaks_by_reason: { first: 1, different_agent: 1 },
  });
});

test("system_changed", async () => {
  const session = newSession();
  const answer = await session.ask(opening);
  await session.ask([{ ...system, content: "be kind" }, question, answer, further]);
  expect(await session.lastSplit()).toMatchObject({ reason: "system_changed", at_message: 0 });
});

test("tools_changed", async () => {
  const session = newSession();
  const answer = await session.ask(opening, { ...tools("look"), tool_choice: "none" });
  await session.ask([...opening, answer, further], { ...tools("listen"), tool_choice: "none" });
  expect(await session.lastSplit()).toMatchObject({ reason: "tools_changed", at_token: 0 });
});

test("truncated_parent", async () => {
  const session = newSession("merging");
  const answer = await session.ask(opening, { max_tokens: 3 });
  await session.ask([...opening, answer, further]);
  expect(await session.lastSplit()).toMatchObject({ reason: "truncated_parent", detail: "length" });
});

test("compacted", async () => {
  const session = newSession();
  const answer = await session.ask(opening);
  await session.ask([...opening, answer, further]);
  await session.ask([system, { role: "user", content: "so far: 42 and 2" }]);
  expect((await session.lastSplit())?.reason).toBe("compacted");
});

test("history_rewritten", async () => {
  const session = newSession();
  await session.ask(opening);
  await session.ask([...opening, { role: "assistant", content: "43" }, further]);
  expect(await session.lastSplit()).toMatchObject({ reason: "history_rewritten", at_message: 2 });
});

test.each([
  ["tool_call_rerendered", "sorting", tools("look")],
  ["thinking_stripped", "stripping", {}],
  ["retokenized", "merging", {}],
])(
  "%s: the messages are equal, and the template changed the tokens",
  async (reason, model, more) => {
    const session = newSession(model);
    const answer = await session.ask(opening, more);
    const [call] = answer.tool_calls ?? [];
    const next =
      call === undefined ? further : { role: "tool", tool_call_id: call.id, content: "4" };
    await session.ask([...opening, answer, next], more);
    expect(await session.lastSplit()).toMatchObject({ reason, at_message: null });
  },
);

test("ambiguous_parent", async () => {
  const session = newSession();
  const answer = await session.ask(opening);
  await session.ask(opening);
  await session.ask([...opening, answer, further]);
  expect((await session.lastSplit())?.reason).toBe("ambiguous_parent");
});

test("version_changed, if it is asked for", async () => {
  const session = newSession("versions");
  const answer = await session.ask(opening, { demo: { weight_versions: ["7", "8"] } });
  await session.ask([...opening, answer, further], { demo: { weight_versions: ["9"] } });
  const [sequence] = (await session.rollout()).sequences;
  expect(sequence?.versions.map(({ version }) => version)).toEqual(["7", "8", "9"]);
  expect((await session.lastSplit({ split_on_version: true }))?.reason).toBe("version_changed");
});

test("the tests above produce every reason", () => {
  expect([...produced].sort()).toEqual(Object.keys(reasons).sort());
});
