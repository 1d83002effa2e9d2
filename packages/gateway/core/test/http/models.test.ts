import Anthropic, { NotFoundError } from "@anthropic-ai/sdk";
import { endpoints } from "@proj/model-apis";
import { rawRequest, startDemoUpstream } from "@proj/test-kit";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError, expectErrorAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";

let upstream: Awaited<ReturnType<typeof startDemoUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  const route = { base_url: upstream.url, websockets: false };
  const llm_routes = { demo: route, "org/large model": route };
  gateway = await startGateway({ llm_routes });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

describe.each(["/v1", "/v1/sessions/s", "/v1/sessions/s/v1"])("GET %s/models", (base) => {
  const get = (path: string, method = "GET"): Promise<Response> =>
    fetch(gateway.url + base + path, { method });

  test("lists the routes", async () => {
    const list = (await (await get("/models")).json()) as { data: { id: string }[] };
    expect(list.data.map(({ id }) => id)).toEqual(["demo", "org/large model"]);
  });

  test.each([
    ["demo", "demo"],
    ["de%6Do", "demo"],
    ["org/large%20model", "org/large model"],
    ["org%2Flarge%20model", "org/large model"],
  ])("/%s is the model '%s'", async (escaped, id) => {
    const response = await get(`/models/${escaped}?x=1`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id,
      object: "model",
      created: expect.any(Number),
      owned_by: "gateway",
    });
  });

  test.each(["dem", "org", "demo/", "org/large%20model/x", "__proto__"])(
    "/%s is not a model",
    async (escaped) => {
      const response = await get(`/models/${escaped}`);
      await expectError(response, "model_not_found", { param: "model" });
    },
  );

  test("a malformed escape is refused, and so is another method", async () => {
    await expectError(await get("/models/%zz"), "invalid_request", { param: "model" });
    const response = await get("/models/demo", "DELETE");
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    await expectError(response, "method_not_allowed");
    await expectError(await get("/models/"), "not_found");
  });

  test("a client of Anthropic's API gets that API's form", async () => {
    const client = new Anthropic({
      baseURL: gateway.url + base.replace(/\/v1$/, ""),
      apiKey: "none",
      maxRetries: 0,
    });
    const listed: unknown[] = [];
    for await (const model of client.models.list()) listed.push(model);
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const models = ["demo", "org/large model"].map((id) => {
      return { type: "model", id, display_name: id, created_at };
    });
    expect(listed).toEqual(models);
    expect(await client.models.retrieve("org/large model")).toEqual(models[1]);
    await expect(client.models.retrieve("other")).rejects.toThrow(NotFoundError);
    await expect(client.models.retrieve("other")).rejects.toMatchObject({
      error: { type: "error", error: { type: "not_found_error", code: "model_not_found" } },
    });
  });

  test("the official client retrieves it", async () => {
    const client = new OpenAI({ baseURL: gateway.url + base, apiKey: "none", maxRetries: 0 });
    expect((await client.models.retrieve("org/large model")).id).toBe("org/large model");
    await expect(client.models.retrieve("other")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });
});

test("a session key lists only its own models", async () => {
  const session_secret = "0123456789abcdef0123456789abcdef";
  await using guarded = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    auth: { api_keys: ["a-launcher's-key"], session_secret },
  });
  const { sessionKey } = await import("@proj/gateway-protocol");
  const headers = { authorization: `Bearer ${sessionKey(session_secret, "s")}` };
  const status = async (path: string) => (await fetch(guarded.url + path, { headers })).status;
  expect(await status("/v1/sessions/s/models/demo")).toBe(200);
  expect(await status("/v1/sessions/other/models/demo")).toBe(401);
  expect(await status("/v1/models/demo")).toBe(401);
});

// Paths with a model in them answer 404, as they do to any GET.
const paths = endpoints.map(({ path }) => path).filter((path) => !path.includes("{"));

describe.each(paths)("a WebSocket at %s", (path) => {
  test.each(["/v1", "/v1/sessions/s", "/v1/sessions/s/v1"])(
    "%s: 426, and the connection is closed",
    async (base) => {
      await using connection = await rawRequest(
        gateway.port,
        [
          `GET ${base}${path} HTTP/1.1`,
          "host: localhost",
          "connection: Upgrade",
          "upgrade: websocket",
          "sec-websocket-version: 13",
          "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
          "\r\n",
        ].join("\r\n"),
      );
      const [answer] = readRawAnswers(await connection.readUntilClosed());
      if (answer === undefined) throw new Error("no answer");
      expect(answer.headers.get("connection")).toBe("close");
      expectErrorAnswer(answer, "websocket_not_supported");
    },
  );
});
