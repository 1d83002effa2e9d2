import Anthropic, { AuthenticationError, NotFoundError } from "@anthropic-ai/sdk";
import {
  type FaultyUpstream,
  jsonBytes,
  type MessageBlock,
  messageObject,
  messageStream,
  startFaultyUpstream,
} from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const route = { base_url: upstream.url, api_key: "upstream-key" };
  gateway = await startGateway({
    llm_routes: { claude: { ...route, endpoints: ["messages"] }, gpt: route },
    auth: { api_keys: ["callers-key"] },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** The base URL as given to Claude Code and the SDKs: without `/v1`, which they append themselves. */
const client = (session_id: string, options = {}): Anthropic =>
  new Anthropic({
    baseURL: gateway.sessionUrl(session_id),
    apiKey: "callers-key",
    maxRetries: 0,
    ...options,
  });

const question = {
  model: "claude",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "Hello" }],
};

const content: MessageBlock[] = [
  { type: "thinking", thinking: "A greeting.", signature: "c2lnbmVk" },
  { type: "text", text: "Héllo 👋 there", citations: null },
  { type: "tool_use", id: "toolu_1", name: "look", input: { at: "door", deep: [1, { a: null }] } },
  { type: "tool_use", id: "toolu_2", name: "wait", input: {} },
];
const answer = messageObject({ content, stop_reason: "tool_use" });

const asJson = { headers: { "content-type": "application/json" } };

describe("the official client of Anthropic's API", () => {
  it("joins a session by its base URL, and the row holds what it holds", async () => {
    upstream.script((_request, reply) => void reply.send(jsonBytes(answer), asJson));
    const message = await client("a-plain").messages.create(question);
    expect(message).toEqual(answer);
    const step = await onlyStep(gateway, "a-plain");
    expect(JSON.parse(step.response ?? "")).toEqual(answer);
    expect(JSON.parse(step.messages ?? "")).toEqual(question.messages);
    expect(step.meta).toMatchObject({
      endpoint: "messages",
      finish_reason: "tool_use",
      prompt_tokens: 11,
      completion_tokens: 5,
    });
    const { headers, path } = upstream.requests.at(-1) ?? {};
    expect(path).toBe("/v1/messages");
    expect(headers).toMatchObject({
      "x-api-key": "upstream-key",
      "anthropic-version": expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(headers).not.toHaveProperty("authorization");
  });

  it("streams: the row holds what its accumulator holds", async () => {
    upstream.script((_request, reply) => void reply.events(messageStream(answer)));
    const stream = client("a-stream").messages.stream(question);
    const message = await stream.finalMessage();
    const step = await onlyStep(gateway, "a-stream");
    expect(JSON.parse(step.response ?? "")).toEqual(answer);
    expect(message).toMatchObject(answer);
  });

  it("gets errors in its own form, with the request's id", async () => {
    const wrong = client("a-key", { apiKey: "wrong" });
    await expect(wrong.messages.create(question)).rejects.toThrow(AuthenticationError);
    const unknown = client("a-model").messages.create({ ...question, model: "claud" });
    const error = await unknown.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      requestID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message: expect.stringContaining("Did you mean 'claude'?"),
    });
  });

  it("gets an error if the route speaks another API", async () => {
    const sent = upstream.requests.length;
    const call = client("a-other").messages.create({ ...question, model: "gpt" });
    await expect(call).rejects.toThrow("It has chat_completions, responses");
    expect(upstream.requests.length).toBe(sent);
  });

  it("also takes its key as a bearer token", async () => {
    upstream.script((_request, reply) => void reply.send(jsonBytes(answer), asJson));
    const bearer = client("a-bearer", { apiKey: null, authToken: "callers-key" });
    await expect(bearer.messages.create(question)).resolves.toMatchObject({ id: "msg_test" });
  });

  it("keeps the betas of a request, whose query is not forwarded", async () => {
    upstream.script((_request, reply) => void reply.send(jsonBytes(answer), asJson));
    await client("a-beta").beta.messages.create({ ...question, betas: ["one-1", "two-2"] });
    expect(upstream.requests.at(-1)?.headers["anthropic-beta"]).toBe("one-1,two-2");
    expect(await onlyStep(gateway, "a-beta")).toMatchObject({ status_code: 200 });
  });

  it("counts tokens, whose requests keep the betas", async () => {
    upstream.script((_request, reply) => void reply.json({ input_tokens: 12 }));
    const { max_tokens: _, ...body } = question;
    const counted = await client("a-count").beta.messages.countTokens({
      ...body,
      betas: ["one-1"],
    });
    expect(counted).toEqual({ input_tokens: 12 });
    const { path, headers } = upstream.requests.at(-1) ?? {};
    expect(path).toBe("/v1/messages/count_tokens");
    expect(headers).toMatchObject({ "x-api-key": "upstream-key" });
    expect(headers?.["anthropic-beta"]).toContain("one-1");
    expect(gateway.steps("a-count")).toEqual([]);
  });

  it("Claude Code's billing block does not reach the upstream, and the row says so", async () => {
    upstream.script((_request, reply) => void reply.send(jsonBytes(answer), asJson));
    const system = ["x-anthropic-billing-header: cch=1", "Be brief."].map((text) => ({
      type: "text" as const,
      text,
    }));
    await client("a-billing").messages.create({ ...question, system });
    const sent = JSON.parse(upstream.requests.at(-1)?.body.toString() ?? "");
    expect(sent.system).toEqual(system.slice(1));
    const step = await onlyStep(gateway, "a-billing");
    expect(step.meta).toMatchObject({ stripped: "billing_block" });
    expect(JSON.parse(step.request ?? "")).toMatchObject({ system });
  });
});
