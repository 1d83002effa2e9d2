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
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const endpoints = [
  ["GET", ""],
  ["GET", "/models"],
  ["GET", "/steps"],
  ["GET", "/latest-success-step?model=demo"],
  ["POST", "/close"],
  ["POST", "/clean"],
  ["POST", "/chat/completions"],
  ["POST", "/responses"],
] as const;

/** Sent unchanged: URL parsers would resolve some of these paths first. */
async function ask(method: string, target: string) {
  const content = method === "POST" ? JSON.stringify(body) : "";
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    `content-length: ${content.length}`,
  ];
  await using connection = await rawRequest(
    gateway.port,
    `${lines.join("\r\n")}\r\n\r\n${content}`,
  );
  const [answer] = readRawAnswers(await connection.readUntilClosed());
  if (answer === undefined) throw new Error(`no answer to ${method} ${target}`);
  return answer;
}

const invalid = {
  "an escape without its digits": "a%",
  "an escape that is not hexadecimal": "%zz",
  "an escape cut short": "a%4",
  "an escaped slash": "a%2Fb",
  "two escaped dots": "%2e%2e",
  "two dots": "..",
  "an escaped dot": "%2E",
  "a dot": ".",
  nothing: "",
  "an escaped space": "a%20b",
  "an escaped NUL": "%00",
  "a letter beyond ASCII, escaped": "%C3%A4",
  "an escape of bytes that are not UTF-8": "%FF",
  "an escaped escape": "%2541",
  "a star": "a*b",
  "an exclamation mark": "a!",
  "a semicolon": "a;b",
  "129 characters": "x".repeat(129),
  "129 escaped characters": "%78".repeat(129),
} as const;

describe.each(endpoints)("%s of a session, %s,", (method, endpoint) => {
  test.each(Object.entries(invalid))("refuses %s as its id", async (_what, segment) => {
    const answer = await ask(method, `/v1/sessions/${segment}${endpoint}`);
    expectErrorAnswer(answer, "invalid_session_id");
    expect(answer.headers.get("x-gateway-session-id")).toBeNull();
  });

  test.each([
    ["a%3Ab", "a:b"],
    ["%61:b", "a:b"],
    ["a%3ab", "a:b"],
    [`%78${"x".repeat(127)}`, "x".repeat(128)],
    ["%78".repeat(128), "x".repeat(128)],
    ["...", "..."],
    ["A.Z_0~9:@+=,-", "A.Z_0~9:@+=,-"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["models", "models"],
  ])("reads %s as the session %s", async (segment, session_id) => {
    const answer = await ask(method, `/v1/sessions/${segment}${endpoint}`);
    expect(answer.headers.get("x-gateway-session-id")).toBe(session_id);
    expect([200, 403, 404]).toContain(answer.status);
    expect(answer.text).not.toContain("invalid_session_id");
  });
});

test("an id is one session however it is escaped, in memory, in storage and upstream", async () => {
  for (const segment of ["o:1", "o%3A1", "o%3a1", "%6F:1"]) {
    const response = await gateway.post(`/v1/sessions/${segment}/chat/completions`, body);
    expect(response.status).toBe(200);
  }
  expect(gateway.steps("o:1").map((row) => row.step_id)).toEqual([1, 2, 3, 4]);
  expect(upstream.requests.slice(-4).map(({ headers }) => headers["x-session-id"])).toEqual(
    Array(4).fill("o:1"),
  );
  for (const segment of ["o:1", "o%3A1"]) {
    const status = await (await fetch(gateway.sessionUrl(segment))).json();
    expect(status).toMatchObject({ session_id: "o:1", models: { demo: { steps: 4 } } });
    const steps = await (await fetch(`${gateway.sessionUrl(segment)}/steps`)).json();
    expect(steps).toHaveProperty("steps.length", 4);
    const latest = await fetch(`${gateway.sessionUrl(segment)}/latest-success-step?model=demo`);
    expect(await latest.json()).toEqual({ session_id: "o:1", model: "demo", step_id: 4 });
  }
  const closed = await gateway.post("/v1/sessions/%6f%3a1/close?wait=10", "");
  expect(await closed.json()).toMatchObject({ session_id: "o:1", status: "closed" });
  const refused = await gateway.post("/v1/sessions/o%3A1/chat/completions", body);
  await expectError(refused, "session_closed");
  const cleaned = await gateway.post("/v1/sessions/o%3A1/clean", "");
  expect(await cleaned.json()).toEqual({ session_id: "o:1", cleaned: true });
});

test("ids are case-sensitive", async () => {
  await gateway.post("/v1/sessions/Case/chat/completions", body);
  await expectError(await fetch(gateway.sessionUrl("case")), "session_not_found");
});
