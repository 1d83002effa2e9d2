import Anthropic from "@anthropic-ai/sdk";
import {
  type FaultyUpstream,
  messageObject,
  responseObject,
  startFaultyUpstream,
  temporaryFolder,
} from "@proj/test-kit";
import OpenAI from "openai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";

// An upstream that keeps nothing gets whole requests, whatever the official clients leave out; where the gateway may not
// serve histories, it refuses in the way that makes them send everything.

let upstream: FaultyUpstream;
let gateway: TestGateway;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let made = 0;

beforeEach(async () => {
  upstream = await startFaultyUpstream(async (request, reply) => {
    made += 1;
    const { messages, input } = JSON.parse(request.body.toString());
    if (request.path.endsWith("count_tokens")) return void (await reply.json({ input_tokens: 7 }));
    if (input !== undefined)
      return void (await reply.json(
        responseObject({ id: `resp_${made}`, text: `answer ${made}` }),
      ));
    const isAsked = JSON.stringify(messages.at(-1)).includes("look");
    const content = isAsked
      ? [{ type: "tool_use" as const, id: `toolu_${made}`, name: "look", input: {} }]
      : [{ type: "text" as const, text: "done", citations: null }];
    const stop_reason = isAsked ? "tool_use" : "end_turn";
    await reply.json({ ...messageObject({ content, stop_reason }), id: `msg_${made}` });
  });
  folder = await temporaryFolder();
  await start();
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
  await folder.remove();
});

async function start(): Promise<void> {
  const route = { base_url: upstream.url, endpoints: ["responses", "messages"] };
  const llm_routes = {
    serving: route,
    refusing: { ...route, serve_history: false },
    keeping: { ...route, keeps: ["responses", "threads"] },
  };
  gateway = await startGateway({ llm_routes }, { folder: folder.path });
}

const bodies = () => upstream.requests.map(({ body }) => JSON.parse(body.toString()));
const openai = (session_id: string) =>
  new OpenAI({ baseURL: gateway.sessionUrl(session_id), apiKey: "none", maxRetries: 0 });
const anthropic = (session_id: string) =>
  new Anthropic({ baseURL: gateway.sessionUrl(session_id), apiKey: "none", maxRetries: 0 });

async function runTool(session_id: string, model: string): Promise<void> {
  const runner = anthropic(session_id).beta.messages.toolRunner({
    model,
    max_tokens: 99,
    system: "be brief",
    messages: [{ role: "user", content: "look around" }],
    tools: [
      {
        type: "custom",
        name: "look",
        description: "Looks.",
        input_schema: { type: "object", properties: {} },
        run: async () => "a door",
        parse: (given: unknown) => given,
      },
    ],
  });
  await runner.runUntilDone();
}

test.each(["serving", "refusing"])(
  "the tool runner's upstream gets whole requests: %s",
  async (model) => {
    await runTool(model, model);
    const sent = bodies();
    expect(sent).toHaveLength(2);
    for (const body of sent) {
      expect(body).not.toHaveProperty("thread");
      expect(body).toMatchObject({ system: "be brief", tools: [{ name: "look" }] });
    }
    expect(sent.map(({ messages }) => messages.length)).toEqual([1, 3]);
    expect(sent[1].messages.map(({ role }: { role: string }) => role)).toEqual([
      ...["user", "assistant", "user"],
    ]);
    const rows = gateway.steps(model);
    const isServed = model === "serving";
    expect(rows.map(({ meta }) => meta.history)).toEqual([
      undefined,
      isServed ? "served" : undefined,
    ]);
    // The row has what the caller sent.
    expect(rows.map(({ messages }) => JSON.parse(messages ?? "").length)).toEqual([
      ...[1, isServed ? 1 : 3],
    ]);
  },
);

test("an upstream that keeps threads gets them as they are", async () => {
  await runTool("kept", "keeping");
  expect(bodies().map(({ thread, messages }) => [thread.type, messages.length])).toEqual([
    ...[
      ["create", 1],
      ["continue", 1],
    ],
  ]);
});

test("a thread that nobody knows is started again by the client", async () => {
  const client = anthropic("lost");
  const ask = (thread: { type: "continue"; previous_message_id: string }) =>
    client.beta.messages.create({
      ...{ model: "serving", max_tokens: 9, thread },
      messages: [{ role: "user", content: "and?" }],
    });
  await expect(ask({ type: "continue", previous_message_id: "msg_0" })).rejects.toMatchObject({
    status: 404,
    error: { error: { details: { error_code: "thread_not_found" } } },
  });
  expect(upstream.requests).toHaveLength(0);
  expect(gateway.steps("lost")).toEqual([]);
});

test("responses are served through chains and forks, also after a restart", async () => {
  const { responses } = openai("chain");
  const first = await responses.create({ model: "serving", input: "one", store: false });
  const second = await responses.create({
    ...{ model: "serving", input: [{ role: "user", content: "two" }] },
    previous_response_id: first.id,
  });
  await gateway.close();
  await start();
  const again = openai("chain").responses;
  for (const previous_response_id of [second.id, first.id])
    await again.create({ model: "serving", input: "three", previous_response_id });
  const said = bodies().map(({ input, previous_response_id }) => [
    previous_response_id,
    typeof input === "string" ? input : input.map(textOf),
  ]);
  const [a, b] = [first.output_text, second.output_text];
  expect(said).toEqual([
    [undefined, "one"],
    [undefined, ["one", a, "two"]],
    [undefined, ["one", a, "two", b, "three"]],
    [undefined, ["one", a, "three"]],
  ]);
  expect(bodies()[0].store).toBe(false);
  expect(gateway.steps("chain").map(({ meta }) => meta.history)).toEqual([
    ...[undefined, "served", "served", "served"],
  ]);
});

test("what the caller asked an upstream not to keep is sent again, also after a restart", async () => {
  const ask = (input: string, previous_response_id: string | null, store: boolean) =>
    openai("unstored").responses.create({ model: "keeping", input, previous_response_id, store });
  const first = await ask("one", null, false);
  await gateway.close();
  await start();
  const second = await ask("two", first.id, true);
  await ask("three", second.id, true);
  const sent = bodies().map(({ previous_response_id, input, store }) => [
    ...[previous_response_id ?? null, typeof input === "string" ? 1 : input.length, store],
  ]);
  expect(sent).toEqual([
    [null, 1, false],
    [null, 3, true],
    [second.id, 1, true],
  ]);
  expect(gateway.steps("unstored").map(({ meta }) => meta.history)).toEqual([
    ...[undefined, "served", undefined],
  ]);
});

test.each([
  ["serving", "resp_unknown"],
  ["refusing", "resp_unknown"],
])("a response that is not known is refused: %s", async (model, previous_response_id) => {
  const asked = openai("unknown").responses.create({ model, input: "x", previous_response_id });
  const refusal: unknown = await asked.catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    status: 404,
    code: "previous_response_not_found",
    param: "previous_response_id",
  });
  expect(Object(refusal).headers.get("x-should-retry")).toBe("false");
  expect(gateway.steps("unknown")).toEqual([]);
  expect(upstream.requests).toHaveLength(0);
});

test("a conversation is made and continued for an upstream that keeps none, also after a restart", async () => {
  const first = await openai("talk").responses.create({ model: "serving", input: "hello" });
  const { id: conversation } = await openai("talk").conversations.create({
    metadata: { topic: "doors" },
  });
  const turn = (input: string) =>
    openai("talk").responses.create({ model: "serving", input, conversation });
  await gateway.close();
  await start();
  const one = await turn("one");
  await turn("two");
  await gateway.close();
  await start();
  await turn("three");
  expect(first.id).not.toBe(one.id);
  const sent = bodies().slice(1);
  expect(sent.map(({ input }) => (typeof input === "string" ? 1 : input.length))).toEqual([
    1, 3, 5,
  ]);
  for (const body of sent) expect(body).not.toHaveProperty("conversation");
  expect(upstream.requests.map(({ path }) => path)).toEqual(
    Array.from({ length: 4 }, () => expect.stringMatching(/\/responses$/)),
  );
  expect(
    gateway
      .steps("talk")
      .slice(1)
      .map(({ meta }) => meta.history),
  ).toEqual(["served", "served", "served"]);
});

test("what would be known in part is refused by name", async () => {
  const sdk = openai("parts");
  const { id } = await sdk.responses.create({ model: "serving", input: "hello" });
  const item = { type: "message" as const, role: "user" as const, content: "Hi" };
  const unserved = { status: 404, code: "endpoint_not_supported" };
  await expect(sdk.conversations.create({ items: [item] })).rejects.toMatchObject(unserved);
  const { id: conversation } = await sdk.conversations.create({});
  const more = sdk.conversations.items.create(conversation, { items: [item] });
  await expect(more).rejects.toMatchObject(unserved);
  await expect(sdk.conversations.retrieve(conversation)).rejects.toMatchObject(unserved);
  const input = [{ type: "item_reference" as const, id: "msg_1" }, item];
  const asked = { model: "serving", input };
  const missing = { status: 404, code: "not_found", param: "input" };
  await expect(sdk.responses.create(asked)).rejects.toMatchObject(missing);
  const named = { ...asked, previous_response_id: id };
  await expect(sdk.responses.create(named)).rejects.toMatchObject(missing);
  const elsewhere = { ...asked, conversation: `${conversation}0` };
  await expect(sdk.responses.create({ ...elsewhere, input: "x" })).rejects.toMatchObject({
    ...{ status: 404, code: "not_found", param: "conversation" },
  });
  expect(upstream.requests).toHaveLength(1);
  // An upstream that keeps items gets their names; the row says what it lacks.
  await sdk.responses.create({ ...asked, model: "keeping" });
  expect(gateway.steps("parts").map(({ meta }) => meta.history)).toEqual([undefined, "partial"]);
});

test("without a session, nothing is kept, and nothing is made up", async () => {
  const sdk = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "none", maxRetries: 0 });
  const { id } = await sdk.responses.create({ model: "serving", input: "one" });
  const asked = sdk.responses.create({ model: "serving", input: "two", previous_response_id: id });
  await expect(asked).rejects.toMatchObject({ code: "previous_response_not_found" });
});

test("tokens are counted of the whole request", async () => {
  const client = anthropic("counted");
  const first = await client.beta.messages.create({
    ...{ model: "serving", max_tokens: 9, system: "be brief", thread: { type: "create" } },
    messages: [{ role: "user", content: "hello" }],
  });
  await client.beta.messages.countTokens({
    model: "serving",
    messages: [{ role: "user", content: "and?" }],
    ...{ thread: { type: "continue", previous_message_id: first.id } },
  });
  const counted = bodies().at(-1);
  expect(counted.messages).toHaveLength(3);
  expect(counted).toMatchObject({ system: "be brief" });
  expect(counted).not.toHaveProperty("thread");
});

function textOf({ content }: { content: string | { text: string }[] }): string {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}
