import { rawRequest, startDemoUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError, expectErrorAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";

let upstream: Awaited<ReturnType<typeof startDemoUpstream>>;
let gateway: TestGateway;
const body = { model: "demo", messages: [{ role: "user", content: "Hello" }], input: "Hello" };

beforeAll(async () => {
  upstream = await startDemoUpstream();
  gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  await gateway.post("/v1/sessions/s/chat/completions", body);
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const call = (method: string, path: string): Promise<Response> =>
  fetch(gateway.url + path, { method });

const getPaths = [
  "/healthz",
  "/readyz",
  "/metrics",
  "/v1/models",
  "/v1/models/demo",
  "/v1/sessions",
  "/v1/sessions/s",
  "/v1/sessions/s/models",
  "/v1/sessions/s/v1/models",
  "/v1/sessions/s/models/demo",
  "/v1/sessions/s/steps",
  "/v1/sessions/s/latest-success-step?model=demo",
] as const;
const postPaths = [
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/completions",
  "/v1/embeddings",
  "/v1/sessions/s/completions",
  "/v1/sessions/s/embeddings",
  "/v1/sessions/s/v1/responses",
  "/v1/sessions/s/chat/completions",
  "/v1/sessions/s/responses",
  "/v1/sessions/s/close",
  "/v1/sessions/s/clean",
] as const;

describe.each(getPaths)("GET %s", (path) => {
  test("answers, and answers HEAD the same without a body", async () => {
    const get = await call("GET", path);
    const head = await call("HEAD", path);
    for (const { status, headers } of [get, head]) {
      expect(status).toBe(200);
      expect(headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
      expect(headers.get("server-timing")).toMatch(/^gateway;dur=\d/);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-powered-by")).toBeNull();
    }
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(await get.text()).not.toBe("");
    expect(await head.text()).toBe("");
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("refuses %s", async (method) => {
    const response = await call(method, path);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    expect(await expectError(response, "method_not_allowed")).toContain(`'${method}'`);
  });
});

describe.each(postPaths)("POST %s", (path) => {
  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("refuses %s", async (method) => {
    const response = await call(method, path);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await expectError(response, "method_not_allowed")).toContain(`'${method}'`);
  });

  test("refuses HEAD", async () => {
    const response = await call("HEAD", path);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await response.text()).toBe("");
  });
});

test.each([
  "/",
  "/v1",
  "/v1/v1/responses",
  "/v1/sessions/s/v1",
  "/v1/sessions/s/v1/v1/responses",
  "/v1/sessions/s/v1/close",
  "/v1/",

  "/v1/sessions/s/chat",
  "/v1/sessions/s/chat/completions/extra",
  "/v2/sessions/s",
  "/favicon.ico",
  "/..%2f..%2fetc/passwd",
  "/V1/models",
  "/v1/Sessions/s",
  "/v1/sessions/s/Close",
  "/v1/chat%2Fcompletions",
  "//healthz",
])("%s is not found, whatever the method", async (path) => {
  for (const method of ["GET", "POST", "DELETE", "OPTIONS"])
    expect(await expectError(await call(method, path), "not_found")).toContain(method);
});

// A model's key may end in a slash: that is a different model.
const singular = [...getPaths, ...postPaths].filter((path) => !path.endsWith("/models/demo"));

test.each(singular)("%s has one spelling: a trailing slash is not found", async (path) => {
  const [pathname, query] = path.split("?");
  // With a trailing slash, the list of sessions would be a session with an empty id.
  const code = path === "/v1/sessions" ? "invalid_session_id" : "not_found";
  const method = postPaths.some((post) => post === path) ? "POST" : "GET";
  await expectError(await call(method, `${pathname}/${query ? `?${query}` : ""}`), code);
});

test("a query on a model path is ignored, and not sent upstream", async () => {
  for (const path of ["/v1/chat/completions", "/v1/responses", "/v1/sessions/s/chat/completions"]) {
    const response = await gateway.post(`${path}?api-version=2026-01-01&model=other`, body);
    expect(response.status).toBe(200);
    expect(upstream.requests.at(-1)?.path).toBe(path.replace("/sessions/s", ""));
  }
});

test("an absolute URL in place of the path, as sent to proxies, means the same", async () => {
  const text = JSON.stringify(body);
  const ask = async (head: string, content = ""): Promise<number | undefined> => {
    const length = `content-length: ${Buffer.byteLength(content)}`;
    const request = `${head} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${length}\r\n\r\n${content}`;
    await using connection = await rawRequest(gateway.port, request);
    return readRawAnswers(await connection.readUntilClosed())[0]?.status;
  };
  const origin = `http://localhost:${gateway.port}`;
  expect(await ask(`GET ${origin}/healthz`)).toBe(200);
  expect(await ask(`POST ${origin}/v1/chat/completions?x=1`, text)).toBe(200);
  expect(await ask(`POST ${origin}/v1/sessions/s/chat/completions`, text)).toBe(200);
  expect(await ask(`GET ${origin}/v1/sessions/s`)).toBe(200);
  expect(await ask(`GET ${origin}/nothing`)).toBe(404);
  expect(await ask(`GET ${origin}`)).toBe(404);
});

test("HTTP/1.1 requires a host, HTTP/1.0 does not", async () => {
  await using without = await rawRequest(
    gateway.port,
    "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n",
  );
  const [answer] = readRawAnswers(await without.readUntilClosed());
  if (answer === undefined) throw new Error("no answer");
  expect(expectErrorAnswer(answer, "invalid_request")).toContain("'host'");
  await using old = await rawRequest(
    gateway.port,
    "GET /healthz HTTP/1.0\r\nhost: localhost\r\n\r\n",
  );
  expect(readRawAnswers(await old.readUntilClosed())).toMatchObject([{ status: 200 }]);
});
