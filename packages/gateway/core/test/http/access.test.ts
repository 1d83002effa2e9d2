import { sessionKey } from "@proj/gateway-protocol";
import { rawRequest, startDemoUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError, expectErrorAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";

const secret = "a secret of the gateway and its launcher";
const body = { model: "demo", messages: [{ role: "user", content: "Hello" }], input: "Hello" };

let upstream: Awaited<ReturnType<typeof startDemoUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startDemoUpstream();
  gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, api_key: "of-the-upstream" } },
    auth: {
      api_keys: ["plain-key", { name: "launcher-7", key: "named-key" }],
      session_secret: secret,
    },
  });
  // Created first, so that no endpoint refuses because the session is unknown.
  await ask("POST", "/v1/sessions/mine/chat/completions", "Bearer plain-key");
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function ask(method: string, path: string, authorization: string | null): Promise<Response> {
  return fetch(gateway.url + path, {
    method,
    headers: authorization === null ? {} : { authorization },
    body: method === "POST" ? JSON.stringify(body) : null,
  });
}

const own = `Bearer ${sessionKey(secret, "mine")}`;
const other = `Bearer ${sessionKey(secret, "theirs")}`;

const callers = {
  "no key": null,
  "a wrong key": "Bearer wrong-key",
  "a plain key": "Bearer plain-key",
  "a named key": "Bearer named-key",
  "the session's own key": own,
  "another session's key": other,
} as const;

const everybody = Object.keys(callers) as (keyof typeof callers)[];
const keyHolders = ["a plain key", "a named key"] as const;
const keyHoldersAndSession = [...keyHolders, "the session's own key"] as const;

const endpoints: readonly (readonly [string, string, readonly (keyof typeof callers)[]])[] = [
  ["GET", "/healthz", everybody],
  ["GET", "/readyz", everybody],
  ["GET", "/metrics", keyHolders],
  ["GET", "/v1/models", keyHolders],
  ["GET", "/v1/jobs", keyHolders],
  ["GET", "/v1/routes", keyHolders],
  ["POST", "/v1/chat/completions", keyHolders],
  ["POST", "/v1/responses", keyHolders],
  ["GET", "/v1/sessions", keyHolders],
  ["GET", "/v1/sessions/mine", keyHoldersAndSession],
  ["HEAD", "/v1/sessions/mine", keyHoldersAndSession],
  ["GET", "/v1/sessions/mine/models", keyHoldersAndSession],
  ["POST", "/v1/sessions/mine/chat/completions", keyHoldersAndSession],
  ["POST", "/v1/sessions/mine/responses", keyHoldersAndSession],
  ["POST", "/v1/sessions/m%69ne/responses", keyHoldersAndSession],
  ["GET", "/v1/sessions/mine/rows", keyHoldersAndSession],
  ["HEAD", "/v1/sessions/mine/live", keyHoldersAndSession],
  ["GET", "/v1/sessions/mine/summary", keyHolders],
  ["GET", "/v1/sessions/mine/steps", keyHolders],
  ["GET", "/v1/sessions/mine/latest-success-step?model=demo", keyHolders],
  ["POST", "/v1/sessions/open/close", keyHolders],
  ["POST", "/v1/sessions/nobody/clean", keyHolders],
];

describe.each(endpoints)("%s %s", (method, path, open) => {
  test.each(Object.entries(callers))("for %s", async (who, authorization) => {
    const before = upstream.requests.length;
    const response = await ask(method, path, authorization);
    if ((open as readonly string[]).includes(who)) {
      expect(response.status).toBe(200);
      return;
    }
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(upstream.requests).toHaveLength(before);
    if (method === "HEAD") expect(response.status).toBe(401);
    else await expectError(response, "invalid_api_key");
  });
});

test("a session key cannot close, clean or fork any session, not even its own", async () => {
  for (const endpoint of ["close", "clean", "close?wait=1", "fork"]) {
    const response = await ask("POST", `/v1/sessions/mine/${endpoint}`, own);
    await expectError(response, "invalid_api_key");
  }
  const status = await (await ask("GET", "/v1/sessions/mine", own)).json();
  expect(status).toMatchObject({ status: "active" });
});

test("a refused request names its session, and leaves nothing in memory", async () => {
  const response = await ask("POST", "/v1/sessions/untouched/chat/completions", own);
  expect(response.headers.get("x-gateway-session-id")).toBe("untouched");
  await expectError(response, "invalid_api_key");
  const status = await ask("GET", "/v1/sessions/untouched", "Bearer plain-key");
  await expectError(status, "session_not_found");
});

test.each([
  ["Basic", "Basic cGxhaW4ta2V5"],
  ["a key without a scheme", "plain-key"],
  ["an empty key", "Bearer "],
  ["only a scheme", "Bearer"],
  ["two keys", "Bearer plain-key named-key"],
  ["a part of a key", "Bearer plain-ke"],
  ["a key in another case", "Bearer Plain-Key"],
  ["the prefix of session keys", "Bearer sess_"],
  ["a session key that is cut short", own.slice(0, -1)],
  ["the session's secret", `Bearer ${secret}`],
  ["the upstream's key", "Bearer of-the-upstream"],
])("%s opens nothing", async (_what, authorization) => {
  const response = await ask("POST", "/v1/sessions/mine/chat/completions", authorization);
  const message = await expectError(response, "invalid_api_key");
  expect(message).not.toContain("plain-k");
});

test("the scheme's name may have any case", async () => {
  for (const scheme of ["bearer", "BEARER"])
    expect((await ask("GET", "/v1/models", `${scheme} plain-key`)).status).toBe(200);
});

test("the caller's key does not go upstream, and the name of the key lands in the row", async () => {
  const path = "/v1/sessions/named/chat/completions";
  for (const key of ["plain-key", "named-key", sessionKey(secret, "named")])
    expect((await ask("POST", path, `Bearer ${key}`)).status).toBe(200);
  const sent = upstream.requests.slice(-3).map(({ headers }) => headers.authorization);
  expect(sent).toEqual(Array(3).fill("Bearer of-the-upstream"));
  expect(gateway.steps("named").map(({ meta }) => meta.caller)).toEqual([null, "launcher-7", null]);
});

test("a request without a key is refused before its body is sent", async () => {
  for (const path of ["/v1/chat/completions", "/v1/sessions/mine/responses"]) {
    const head = [`POST ${path} HTTP/1.1`, "host: localhost", "content-length: 1000000"];
    await using connection = await rawRequest(gateway.port, `${head.join("\r\n")}\r\n\r\n`);
    const [answer] = readRawAnswers(await connection.readUntilClosed());
    if (answer === undefined) throw new Error("the request was not answered");
    expectErrorAnswer(answer, "invalid_api_key");
  }
});

test("open_metrics opens the metrics and nothing else", async () => {
  await using observed = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    auth: { api_keys: ["plain-key"], open_metrics: true },
  });
  expect((await fetch(`${observed.url}/metrics`)).status).toBe(200);
  await expectError(await fetch(`${observed.url}/v1/models`), "invalid_api_key");
  await expectError(await fetch(`${observed.url}/v1/sessions`), "invalid_api_key");
});

test("without api_keys every caller is admitted, and a key that it sends goes nowhere", async () => {
  await using open = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const authorization = "Bearer anything";
  const response = await open.post("/v1/sessions/s/chat/completions", body, { authorization });
  expect(response.status).toBe(200);
  expect(upstream.requests.at(-1)?.headers.authorization).toBeUndefined();
  expect(open.steps("s")[0]?.meta.caller).toBeNull();
});
