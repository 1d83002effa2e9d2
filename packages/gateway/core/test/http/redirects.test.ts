import Anthropic from "@anthropic-ai/sdk";
import { chatCompletion, type ReplyHandler, startFaultyUpstream } from "@proj/test-kit";
import OpenAI, { APIError } from "openai";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

// SDKs follow redirects: an upstream's own would lead an agent past the gateway, its budget and its rows.

const messages = [{ role: "user" as const, content: "Hello" }];

test.each([301, 302, 303, 307, 308])(
  "an upstream that answers %i does not lead an agent to it",
  async (status) => {
    await using elsewhere = await startFaultyUpstream((_request, reply) => {
      void reply.json(chatCompletion());
    });
    const redirect: ReplyHandler = (_request, reply) => {
      const location = `${elsewhere.url}/chat/completions/?key=hidden`;
      void reply.send("", { status, headers: { location } });
    };
    await using upstream = await startFaultyUpstream(redirect);
    await using gateway = await startGateway({
      llm_routes: { policy: { base_url: upstream.url, retries: 2 } },
      max_steps: 2,
    });
    const client = new OpenAI({ apiKey: "none", baseURL: gateway.sessionUrl("s") });
    const failure = await client.chat.completions
      .create({ model: "policy", messages })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({
      status: 502,
      code: "upstream_invalid_response",
      message: expect.stringContaining(`redirects requests (${status}) to ${elsewhere.url}`),
    });
    expect(String(failure)).not.toContain("hidden");
    // One attempt: neither the gateway nor the SDK repeats what cannot succeed.
    expect([upstream.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
    expect(gateway.steps("s")).toMatchObject([{ step_id: 1, status_code: 502 }]);
  },
);

test.each(["//elsewhere.example/v1", "/v1/chat/completions/", "", null])(
  "a redirect to %j is an error on every API, streamed or not",
  async (location) => {
    await using upstream = await startFaultyUpstream((_request, reply) => {
      void reply.send("", { status: 307, headers: location === null ? {} : { location } });
    });
    const endpoints = ["chat_completions", "messages", "responses", "completions", "embeddings"];
    await using gateway = await startGateway({
      llm_routes: { policy: { base_url: upstream.url, endpoints } },
    });
    const openai = new OpenAI({ apiKey: "none", baseURL: gateway.sessionUrl("s") });
    const anthropic = new Anthropic({ apiKey: "none", baseURL: gateway.sessionUrl("s") });
    const model = "policy";
    const calls: readonly (() => Promise<unknown>)[] = [
      () => openai.chat.completions.create({ model, messages, stream: true }),
      () => openai.responses.create({ model, input: "Hello" }),
      () => openai.completions.create({ model, prompt: "Hello" }),
      () => openai.embeddings.create({ model, input: "Hello" }),
      () => anthropic.messages.create({ model, messages, max_tokens: 1 }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 502 });
    expect(upstream.requests).toHaveLength(calls.length);
  },
);
