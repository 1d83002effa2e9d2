import type { SessionListBody, SessionStatusBody } from "@proj/gateway-protocol";
import { startDemoUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function json<Body = unknown>(gateway: TestGateway, path: string): Promise<Body> {
  const response = await fetch(gateway.url + path);
  expect(response.status).toBe(200);
  return response.json() as Promise<Body>;
}

test("models are listed in OpenAI's form as route keys in order, globally and for a session", async () => {
  const route = { base_url: "http://x/v1" };
  await using gateway = await startGateway({
    llm_routes: { zeta: route, "org/alpha": route, constructor: route },
  });
  const list = {
    object: "list",
    data: ["zeta", "org/alpha", "constructor"].map((id) => ({
      id,
      object: "model",
      created: expect.any(Number),
      owned_by: expect.any(String),
    })),
  };
  expect(await json(gateway, "/v1/models")).toEqual(list);
  expect(await json(gateway, "/v1/sessions/anybody/models")).toEqual(list);
  // Listing the models opens no session.
  expect(await json(gateway, "/v1/sessions")).toEqual({ sessions: [], next_after: null });
});

test("a route may have the name of a built-in object property", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { constructor: { base_url: upstream.url } },
  });
  const body = { model: "constructor", messages: [{ role: "user", content: "Hello" }] };
  const response = await gateway.post("/v1/sessions/s/chat/completions", body);
  expect(response.status).toBe(200);
  const { models } = await json<SessionStatusBody>(gateway, "/v1/sessions/s");
  expect(Object.entries(models)).toMatchObject([["constructor", { steps: 1 }]]);
});

test("the sessions in memory are listed by id, in pages that do not depend on their use", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
  const use = (id: string): Promise<Response> =>
    gateway.post(`/v1/sessions/${id}/chat/completions`, body);
  for (const id of ["d", "b", "e", "a", "c", "B"]) await use(id);
  await gateway.post("/v1/sessions/c/close?wait=10", "");

  const all = await json<SessionListBody>(gateway, "/v1/sessions");
  expect(all.next_after).toBeNull();
  expect(all.sessions.map(({ session_id }) => session_id)).toEqual(["B", "a", "b", "c", "d", "e"]);
  expect(all.sessions[3]).toEqual({
    session_id: "c",
    status: "closed",
    created_at: time,
    last_seen_at: time,
    in_flight: 0,
  });

  const pages: string[][] = [];
  for (let after: string | null = ""; after !== null; ) {
    const path: string = `/v1/sessions?limit=2&after=${encodeURIComponent(after)}`;
    const page: SessionListBody = await json<SessionListBody>(gateway, path);
    pages.push(page.sessions.map(({ session_id }) => session_id));
    after = page.next_after;
    await use("b");
  }
  expect(pages).toEqual([
    ["B", "a"],
    ["b", "c"],
    ["d", "e"],
  ]);
  // `after` need not be an existing session.
  const rest = await json<SessionListBody>(gateway, "/v1/sessions?after=cc");
  expect(rest.sessions.map(({ session_id }) => session_id)).toEqual(["d", "e"]);
});

test("a limit that is too large or not a number is refused", async () => {
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: "http://x/v1" } } });
  for (const path of ["/v1/sessions", "/v1/sessions/s/steps"])
    for (const limit of ["0", "-1", "1001", "many", "1.5", ""]) {
      const response = await fetch(`${gateway.url}${path}?limit=${limit}`);
      await expectError(response, "invalid_request", { param: "limit" });
    }
  const twice = await fetch(`${gateway.url}/v1/sessions?limit=1&limit=2`);
  await expectError(twice, "invalid_request", { param: "limit" });
  const after = await fetch(`${gateway.url}/v1/sessions/s/steps?after=first`);
  await expectError(after, "invalid_request", { param: "after" });
});
