import { ApiError, GoogleGenAI } from "@google/genai";
import { endpointsByName } from "@proj/model-apis";
import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const endpoints = ["generate_content"];
  const route = { base_url: `${new URL(upstream.url).origin}/v1beta`, api_key: "upstream-key" };
  gateway = await startGateway({
    llm_routes: { gemini: { ...route, endpoints }, gpt: { ...route, base_url: upstream.url } },
    auth: { api_keys: ["callers-key"] },
    max_steps: 2,
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const client = (baseUrl: string, apiKey = "callers-key"): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl, retryOptions: { attempts: 1 } } });
const inSession = (session_id: string): GoogleGenAI => client(gateway.sessionUrl(session_id));

const question = { model: "gemini", contents: "Hello" };
const answer = {
  candidates: [
    {
      content: {
        parts: [
          { text: "A greeting.", thought: true },
          { text: "Héllo 👋 there", thoughtSignature: "c2ln" },
          {
            functionCall: { id: "c1", name: "look", args: { at: "door", deep: [1, { a: null }] } },
          },
        ],
        role: "model",
      },
      finishReason: "STOP",
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: 11,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
    totalTokenCount: 16,
  },
  modelVersion: "gemini-9",
  responseId: "r1",
};
const events = (): Buffer[] =>
  (
    endpointsByName.generate_content.writeStream?.(answer, {
      cut: (text) => [text.slice(0, 3), text.slice(3)],
    }) ?? []
  ).map((event) => Buffer.from(event));

/** What an error of the client is about. */
async function failure(call: Promise<unknown>): Promise<{ status: number; said: unknown }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`no error of the API: ${String(error)}`);
  return { status: error.status, said: JSON.parse(error.message) };
}

describe("the official client of Google's API", () => {
  it("joins a session by its base URL, and the row holds what it got", async () => {
    upstream.script((_request, reply) => void reply.json(answer));
    const got = await inSession("g-plain").models.generateContent(question);
    expect(got.text).toBe("Héllo 👋 there");
    expect(got.functionCalls).toEqual([answer.candidates[0]?.content.parts[2]?.functionCall]);
    const request = upstream.requests.at(-1);
    expect(request?.path).toBe("/v1beta/models/gemini:generateContent");
    expect(request?.headers["x-goog-api-key"]).toBe("upstream-key");
    expect(JSON.stringify(request)).not.toContain("callers-key");
    const step = await onlyStep(gateway, "g-plain");
    expect(JSON.parse(step.response ?? "")).toEqual(answer);
    expect(JSON.parse(step.messages ?? "")).toEqual([{ role: "user", parts: [{ text: "Hello" }] }]);
    expect(step.meta).toMatchObject({
      ...{ endpoint: "generate_content", is_stream: false, finish_reason: "STOP" },
      ...{ prompt_tokens: 11, completion_tokens: 5, cached_tokens: 4, reasoning_tokens: 2 },
    });
  });

  it("streams as events, and the row holds the whole answer", async () => {
    upstream.script((_request, reply) => void reply.events(events()));
    const texts: string[] = [];
    const stream = await inSession("g-stream").models.generateContentStream(question);
    for await (const { text } of stream) texts.push(text ?? "");
    expect(texts.join("")).toBe("Héllo 👋 there");
    const [path, query] = upstream.requests.at(-1)?.path.split("?") ?? [];
    expect(path).toBe("/v1beta/models/gemini:streamGenerateContent");
    expect(query ?? "alt=sse").toBe("alt=sse");
    const step = await onlyStep(gateway, "g-stream");
    expect(JSON.parse(step.response ?? "")).toEqual(answer);
    expect(step.meta).toMatchObject({ is_stream: true, completion_tokens: 5 });
  });

  it("counts tokens without a row or a step", async () => {
    upstream.script((_request, reply) => void reply.json({ totalTokens: 7 }));
    const { totalTokens } = await inSession("g-count").models.countTokens(question);
    expect(totalTokens).toBe(7);
    expect(gateway.steps("g-count")).toEqual([]);
  });

  it("gets the stop of a spent budget as an ordinary answer, also streamed", async () => {
    const { models } = inSession("g-stop");
    for (let step = 0; step < 2; step += 1) {
      upstream.script((_request, reply) => void reply.json(answer));
      await models.generateContent(question);
    }
    const stop = await models.generateContent(question);
    expect(stop.text).toBe("[gateway] step budget reached");
    expect(stop.candidates?.[0]?.finishReason).toBe("STOP");
    const chunks: { text: string | undefined; finishReason: unknown }[] = [];
    for await (const { text, candidates } of await models.generateContentStream(question))
      chunks.push({ text, finishReason: candidates?.[0]?.finishReason });
    expect(chunks.at(-1)?.finishReason).toBe("STOP");
    expect(chunks.map(({ text }) => text).join("")).toBe("[gateway] step budget reached");
  });

  it("reads the gateway's errors in Google's form", async () => {
    const unknown = await failure(
      inSession("g-none").models.generateContent({ ...question, model: "gemimi" }),
    );
    expect(unknown).toMatchObject({
      status: 404,
      said: { error: { code: 404, status: "NOT_FOUND", message: /'gemini'/ } },
    });
    const refused = await failure(client(gateway.url, "wrong").models.generateContent(question));
    expect(refused).toMatchObject({ status: 401, said: { error: { status: "UNAUTHENTICATED" } } });
  });

  it("hears of a stream that breaks off", async () => {
    upstream.script(async (_request, reply) => {
      await reply.startEvents();
      await reply.write(events()[0] ?? "");
      reply.close();
    });
    const stream = await inSession("g-broken").models.generateContentStream(question);
    const heard = (async () => {
      for await (const _chunk of stream);
    })();
    await expect(heard).rejects.toThrow(/UNAVAILABLE/);
    expect(await onlyStep(gateway, "g-broken")).toMatchObject({
      status_code: 502,
      meta: { outcome: "upstream_broken" },
    });
  });
});

describe("a request to Google's API", () => {
  const body = { contents: [{ parts: [{ text: "Hi" }] }] };
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, { method: "POST", body: JSON.stringify(body), headers });

  it.each(["/v1", "/v1beta", "/v1/sessions/g-paths", "/v1/sessions/g-paths/v1beta"])(
    "may begin with %s, and bring the key in its query, which goes nowhere",
    async (prefix) => {
      upstream.script((_request, reply) => void reply.json(answer));
      const answered = await post(`${prefix}/models/gemini:generateContent?key=callers-key`);
      // The session's budget is two steps.
      expect(answered.status).toBe(200);
      expect(JSON.stringify(upstream.requests.at(-1))).not.toContain("callers-key");
    },
  );

  it("for a stream in another form than events is refused", async () => {
    const sent = upstream.requests.length;
    const headers = { "x-goog-api-key": "callers-key" };
    const refused = await post("/v1beta/models/gemini:streamGenerateContent", headers);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("alt=sse") },
    });
    expect(upstream.requests).toHaveLength(sent);
  });
});
