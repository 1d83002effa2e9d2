import { type DemoUpstream, startDemoUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

let upstream: DemoUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  const base_url = upstream.url;
  gateway = await startGateway({
    max_body_bytes: 200_000,
    llm_routes: {
      "qwen3-8b": { base_url },
      "qwen3-32b": { base_url },
      "plain-only": { base_url, supports_stream: false },
    },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const endpoints = [
  ["unbound chat", "/v1/chat/completions"],
  ["unbound responses", "/v1/responses"],
  ["a session's chat", "/v1/sessions/s/chat/completions"],
  ["a session's responses", "/v1/sessions/s/responses"],
] as const;

describe.each(endpoints)("%s refuses", (_name, path) => {
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    gateway.post(path, body, headers);

  test.each([
    ["no body", "", null],
    ["a body that is not JSON", "{model: qwen3-8b}", null],
    ["JSON that is cut short", '{"model":"qwen3-8b","messages":[', null],
    ["text after the JSON", '{"model":"qwen3-8b"} {}', null],
    ["an array", "[]", null],
    ["a string", '"qwen3-8b"', null],
    ["null", "null", null],
    ["an object without model", '{"messages":[]}', "model"],
    ["a model that is null", '{"model":null}', "model"],
    ["a model that is a number", '{"model":8}', "model"],
    ["a model that is an object", '{"model":{"id":"qwen3-8b"}}', "model"],
    ["an empty model", '{"model":""}', "model"],
    ["a stream that is text", '{"model":"qwen3-8b","stream":"true"}', "stream"],
    ["a stream that is a number", '{"model":"qwen3-8b","stream":1}', "stream"],
    ["two models", '{"model":"qwen3-8b","model":"qwen3-32b"}', "model"],
    ["a second model in another case", '{"model":"qwen3-8b","MODEL":"qwen3-32b"}', "model"],
    [
      "a second stream, escaped",
      '{"model":"qwen3-8b","stream":false,"\\u0073tream":true}',
      "stream",
    ],
  ])("%s", async (_what, body, param) => {
    await expectError(await post(body), "invalid_request", { param });
  });

  test("a model that is not a route, naming similar routes", async () => {
    const response = await post({ model: "qwen3-8B", messages: [] });
    const message = await expectError(response, "model_not_found", { param: "model" });
    expect(message).toContain("'qwen3-8B'");
    expect(message).toContain("'qwen3-8b'");
    expect(message).not.toContain("plain-only");
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "the model %s, a built-in property that is not a route",
    async (model) => {
      const body = `{"model":"${model}","messages":[]}`;
      await expectError(await post(body), "model_not_found", { param: "model" });
    },
  );

  test("a model of a hundred thousand characters, in a short message", async () => {
    const response = await post({ model: "m".repeat(100_000) });
    const message = await expectError(response, "model_not_found", { param: "model" });
    expect(message.length).toBeLessThan(300);
  });

  test("a stream on a route without streaming", async () => {
    const response = await post({ model: "plain-only", stream: true, messages: [] });
    const message = await expectError(response, "stream_not_supported", { param: "stream" });
    expect(message).toContain("'plain-only'");
  });

  test("a body beyond max_body_bytes", async () => {
    const response = await post({ model: "qwen3-8b", messages: "x".repeat(200_000) });
    const message = await expectError(response, "request_too_large");
    expect(message).toContain("200000 bytes");
  });

  test.each(["gzip", "br", "gzip, identity", "zstd"])(
    "a body with the content-encoding %s",
    async (encoding) => {
      const response = await post({ model: "qwen3-8b" }, { "content-encoding": encoding });
      const message = await expectError(response, "unsupported_encoding");
      expect(message).toContain(`'${encoding}'`);
    },
  );
});

test("refused requests never reach the upstream", async () => {
  const before = upstream.requests.length;
  for (const [, path] of endpoints) {
    await expectError(await gateway.post(path, "{"), "invalid_request");
    const response = await gateway.post(path, { model: "nobody" });
    await expectError(response, "model_not_found", { param: "model" });
  }
  expect(upstream.requests).toHaveLength(before);
  expect(gateway.steps("s")).toEqual([]);
});

test("content-encoding: identity is accepted", async () => {
  const body = { model: "qwen3-8b", messages: [{ role: "user", content: "Hello" }] };
  const headers = { "content-encoding": "Identity" };
  const response = await gateway.post("/v1/chat/completions", body, headers);
  expect(response.status).toBe(200);
});

test("stream: null or false is accepted by a route without streaming", async () => {
  for (const stream of [null, false]) {
    const body = { model: "plain-only", stream, messages: [{ role: "user", content: "Hello" }] };
    const response = await gateway.post("/v1/chat/completions", body);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
  }
});

test("a refusal of a bound request names its session", async () => {
  const response = await gateway.post("/v1/sessions/a%3Ab/chat/completions", "{");
  expect(response.headers.get("x-gateway-session-id")).toBe("a:b");
  expect(response.headers.get("x-gateway-step-id")).toBeNull();
  await expectError(response, "invalid_request");
});
