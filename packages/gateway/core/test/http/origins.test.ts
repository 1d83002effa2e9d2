import { chatCompletion, chatStream, rawRequest, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLoopbackName } from "../../src/http/origin-check.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError, expectErrorAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";

const console_ = "https://console.example.com";
const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
const chatPath = "/v1/sessions/s/chat/completions";

let upstream: Awaited<ReturnType<typeof startFaultyUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  // An upstream with CORS headers for pages of its own, as many have.
  const headers = {
    "access-control-allow-origin": "*",
    "access-control-allow-credentials": "true",
    "x-ratelimit-remaining-requests": "9",
  };
  upstream = await startFaultyUpstream(async (request, reply) => {
    const { stream } = request.json() as { stream?: boolean };
    if (stream) await reply.events(chatStream(chatCompletion()), { headers });
    else await reply.json(chatCompletion(), { headers });
  });
  gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    cors: { allowed_origins: [console_] },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** Uses its own connection, because fetch sets `host` itself. */
async function ask(method: string, path: string, headers: Record<string, string>, content = "") {
  const lines = Object.entries({
    host: `127.0.0.1:${gateway.port}`,
    connection: "close",
    "content-length": String(content.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  await using connection = await rawRequest(
    gateway.port,
    `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${content}`,
  );
  const [answer] = readRawAnswers(await connection.readUntilClosed());
  if (answer === undefined) throw new Error(`no answer to ${method} ${path}`);
  return answer;
}

const requests = {
  "a plain answer": ["POST", chatPath, JSON.stringify(body), 200],
  "a streamed answer": ["POST", chatPath, JSON.stringify({ ...body, stream: true }), 200],
  "an error of a model request": ["POST", chatPath, '{"model":"nobody"}', 404],
  "an unbound answer": ["POST", "/v1/chat/completions", JSON.stringify(body), 200],
  "a control answer": ["GET", "/v1/sessions/s", "", 200],
  "a control error": ["GET", "/v1/sessions/nobody", "", 404],
  "a probe": ["GET", "/healthz", "", 200],
  "an unknown path": ["GET", "/nothing", "", 404],
  "a wrong method": ["DELETE", "/v1/sessions/s", "", 405],
} as const;

describe.each(Object.entries(requests))("%s", (_what, [method, path, content, status]) => {
  test("may be read by the page of an allowed origin", async () => {
    const answer = await ask(method, path, { origin: console_ }, content);
    expect(answer.status).toBe(status);
    // One value each: a browser obeys neither of two.
    expect(answer.headers.get("access-control-allow-origin")).toBe(console_);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("access-control-expose-headers")).toBe("*");
    expect(answer.headers.get("vary")?.toLowerCase()).toContain("origin");
  });

  test("is given to the gateway's own pages", async () => {
    for (const own of [`127.0.0.1:${gateway.port}`, `localhost:${gateway.port}`]) {
      const headers = { host: own, origin: `http://${own}` };
      expect((await ask(method, path, headers, content)).status).toBe(status);
    }
  });

  test.each([
    "https://evil.example.com",
    "https://console.example.com.evil.example",
    "http://console.example.com",
    "https://console.example.com:8443",
    "https://CONSOLE.example.com",
    "null",
    "",
  ])("is refused to the origin '%s'", async (origin) => {
    const before = upstream.requests.length;
    const answer = await ask(method, path, { origin }, content);
    expectErrorAnswer(answer, "origin_not_allowed");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(upstream.requests).toHaveLength(before);
  });

  test.each([
    "rebound.example.com",
    `rebound.example.com:80`,
    "127.0.0.1.nip.io",
    "localhost.example.com",
    "10.0.0.1",
    "[2001:db8::1]:8000",
    "0.0.0.0",
    "127.0.0.1@evil.example.com",
    "",
  ])("is refused by an open loopback gateway if it is addressed as '%s'", async (host) => {
    // A page whose name was rebound to this machine: its origin and host agree.
    const headers = host === "" ? { host } : { host, origin: `http://${host}` };
    const answer = await ask(method, path, headers, content);
    const message = expectErrorAnswer(answer, "origin_not_allowed");
    expect(message).toContain("localhost");
  });

  test.each([
    ["evil.example", "127.0.0.1"],
    ["127.0.0.1:80@evil.example", "127.0.0.1"],
    ["127.0.0.1", "evil.example"],
  ])(
    "is checked by the host of an absolute URL, %s, and not by 'host: %s'",
    async (target, host) => {
      const answer = await ask(method, `http://${target}${path}`, { host }, content);
      if (target === "127.0.0.1") expect(answer.status).toBe(status);
      else expectErrorAnswer(answer, "origin_not_allowed");
    },
  );
});

test.each([
  "localhost",
  "LOCALHOST:1",
  "gateway.localhost:8000",
  "127.0.0.1",
  "127.1.2.3:80",
  "[::1]:8000",
  "[::1]",
])("an open loopback gateway may be addressed as %s", async (host) => {
  expect((await ask("GET", "/healthz", { host })).status).toBe(200);
});

test("a browser's preflight gets the headers that it asked for, name by name", async () => {
  const asked = "authorization,content-type,x-stainless-arch,x-stainless-retry-count";
  for (const path of [chatPath, "/v1/chat/completions", "/v1/models", "/v1/sessions/s/close"]) {
    const answer = await ask("OPTIONS", path, {
      origin: console_,
      "access-control-request-method": "POST",
      "access-control-request-headers": asked,
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe("");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": console_,
      "access-control-allow-methods": "GET, POST",
      // A `*` would not cover `authorization`.
      "access-control-allow-headers": asked,
      "server-timing": expect.stringContaining("gateway;dur="),
      "x-request-id": expect.any(String),
    });
  }
});

test("a preflight needs no key, and one from a foreign origin is refused", async () => {
  await using closed = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    auth: { api_keys: ["key"] },
    cors: { allowed_origins: [console_] },
  });
  const preflight = (origin: string): Promise<Response> =>
    fetch(closed.url + chatPath, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
  expect((await preflight(console_)).status).toBe(204);
  await expectError(await preflight("https://evil.example.com"), "origin_not_allowed");
  // The page may read that its key is wrong.
  const refused = await closed.post(chatPath, body, { origin: console_ });
  expect(refused.headers.get("access-control-allow-origin")).toBe(console_);
  await expectError(refused, "invalid_api_key");
});

test("with keys the gateway may be addressed by any name, but origins are still checked", async () => {
  await using closed = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    auth: { api_keys: ["key"] },
  });
  const head = "GET /healthz HTTP/1.1\r\nconnection: close\r\nhost: gateway.example.com\r\n";
  await using named = await rawRequest(closed.port, `${head}\r\n`);
  expect(readRawAnswers(await named.readUntilClosed())).toMatchObject([{ status: 200 }]);
  await using foreign = await rawRequest(closed.port, `${head}origin: https://example.com\r\n\r\n`);
  expect(readRawAnswers(await foreign.readUntilClosed())).toMatchObject([{ status: 403 }]);
});

test.each(["localhost", "127.0.0.1", "127.0.0.9", "::1"])(
  "a gateway that listens on %s counts as loopback",
  (host) => {
    expect(isLoopbackName(host)).toBe(true);
  },
);

test("an open gateway beyond loopback warns at start, and accepts any host", async () => {
  await using wide = await startGateway({
    listen_host: "0.0.0.0",
    llm_routes: { demo: { base_url: upstream.url } },
  });
  expect(wide.logged).toMatchObject([
    { level: "warn", message: expect.stringContaining("auth.api_keys") },
  ]);
  await using connection = await rawRequest(
    wide.port,
    "GET /healthz HTTP/1.1\r\nhost: gateway.example.com\r\nconnection: close\r\n\r\n",
  );
  expect(readRawAnswers(await connection.readUntilClosed())).toMatchObject([{ status: 200 }]);
});
