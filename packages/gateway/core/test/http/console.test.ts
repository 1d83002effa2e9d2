import { gatewayPaths, sessionKey } from "@proj/gateway-protocol";
import type { StoredSessionsBody } from "@proj/session-store/answers";
import {
  halvedAnswer,
  readServerSentEvents,
  startDemoUpstream,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import type { ConsolePage } from "../../src/index.ts";
import { startGateway } from "../start-gateway.ts";

const chat = { model: "demo", messages: [{ role: "user", content: "What is 19 + 23?" }] };
const paths = gatewayPaths();
const secret = "a secret that is long enough for a key";

const llm_routes = { demo: { base_url: "http://x/v1" } };
const page: ConsolePage = {
  path: "/people",
  serve: async (path, _request, response) => {
    if (path !== "/people/page.js") return false;
    response.end("for people");
    return true;
  },
};
const browser = { headers: { accept: "text/html" }, redirect: "manual" } as const;

test("serves the page that it is given, and redirects browsers to it", async () => {
  await using gateway = await startGateway({ llm_routes }, { console: page });
  for (const path of ["/", "/people/"]) {
    const answer = await fetch(gateway.url + path, browser);
    expect(answer.status, path).toBe(302);
    expect(answer.headers.get("location"), path).toBe("/people");
  }
  expect((await fetch(gateway.url)).status).toBe(404);
  expect(await (await fetch(`${gateway.url}/people/page.js`)).text()).toBe("for people");
  expect((await fetch(`${gateway.url}/people/other.js`)).status).toBe(404);
});

test("serves no page if the configuration turns it off, or none is given", async () => {
  for (const [console, given] of [
    [false, page],
    [true, null],
  ] as const) {
    await using gateway = await startGateway(
      { llm_routes, console },
      given === null ? {} : { console: given },
    );
    expect((await fetch(`${gateway.url}/people/page.js`)).status).toBe(404);
    expect((await fetch(gateway.url, browser)).status).toBe(404);
  }
});

test("lists stored sessions by filters, with the state of those in memory", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    max_steps: 5,
  });
  for (const id of ["one", "two"]) await gateway.post(paths.sessionChatCompletions(id), chat);
  await gateway.post("/v1/sessions/one/close?wait=10", "");
  const list = async (query: string) => {
    const response = await fetch(`${gateway.url}/v1/sessions?stored=true${query}`);
    return response.json() as Promise<StoredSessionsBody>;
  };
  expect(await list("")).toMatchObject({
    sessions: [
      {
        session_id: "two",
        models: ["demo"],
        calls: 1,
        errors: 0,
        last_words: expect.stringContaining("42"),
        live: { status: "active", in_flight: 0, max_steps: 5 },
      },
      { session_id: "one", live: { status: "closed" } },
    ],
    next_before: null,
  });
  expect((await list("&status=closed")).sessions.map(({ session_id }) => session_id)).toEqual([
    "one",
  ]);
  expect((await list("&text=nothing%20like%20it")).sessions).toEqual([]);
  const wrong = await fetch(`${gateway.url}/v1/sessions?stored=true&reward=much`);
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("reward");
});

test("the gateway's keys open everything, a session key only its own rows, without the scoring", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    auth: { api_keys: ["all"], session_secret: secret },
  });
  const ask = (path: string, key: string) =>
    fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } });
  const headers = { authorization: "Bearer all" };
  for (const id of ["mine", "other"])
    await gateway.post(paths.sessionChatCompletions(id), chat, headers);
  const key = sessionKey(secret, "mine");
  const statuses = async (given: string): Promise<number[]> => {
    const asked = ["?stored=true", "/mine/summary", "/mine/rows", "/other/rows"].map((path) =>
      ask(`/v1/sessions${path}`, given),
    );
    return (await Promise.all([...asked, ask("/v1/jobs", given)])).map(({ status }) => status);
  };
  expect(await statuses("all")).toEqual([200, 200, 200, 200, 200]);
  expect(await statuses(key)).toEqual([401, 401, 200, 401, 401]);
  expect(await statuses("wrong")).toEqual([401, 401, 401, 401, 401]);
  const all = await (await ask("/v1/sessions/mine/rows?payload=true", "all")).text();
  const own = await (await ask("/v1/sessions/mine/rows?payload=true", key)).text();
  expect(all).toContain("replica");
  expect(own).not.toContain("replica");
  expect(own).toContain("19 + 23");
});

test.each([
  ["with the console", true],
  ["without the console", false],
])(
  "follows a session %s: the answer as it comes, then its row, and resumes after a break",
  async (_, console) => {
    const { answer, goOn } = halvedAnswer();
    await using upstream = await startFaultyUpstream(answer);
    const llm_routes = { demo: { base_url: upstream.url } };
    await using gateway = await startGateway({ llm_routes, console });
    const calling = gateway.post(paths.sessionChatCompletions("s"), { ...chat, stream: true });
    const live = await fetch(`${gateway.url}/v1/sessions/s/live`);
    let seen = "";
    for await (const { event, data } of readServerSentEvents(live.body)) {
      seen += `${event} ${event === "running" && data?.includes("So far") ? "so far" : ""}\n`;
      if (event === "running" && data?.includes("So far")) goOn();
      if (event === "rows") break;
    }
    await (await calling).text();
    expect(seen).toMatch(/running so far\n.*rows/s);

    const again = await fetch(`${gateway.url}/v1/sessions/s/live`, {
      headers: { "last-event-id": "0" },
    });
    for await (const { event, data } of readServerSentEvents(again.body)) {
      if (event !== "rows") continue;
      expect(JSON.parse(data ?? "")).toMatchObject([{ step_id: 1, status_code: 200 }]);
      break;
    }
  },
);

test("followers of one session leave room for followers of others, and free their places", async () => {
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const leaving = new AbortController();
  const { signal } = leaving;
  const follow = (id: string) => fetch(`${gateway.url}/v1/sessions/${id}/live`, { signal });
  const followers = await Promise.all(Array.from({ length: 11 }, () => follow("one")));
  expect(followers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 503]);
  expect((await follow("two")).status).toBe(200);
  leaving.abort();
  await expect
    .poll(async () => {
      const answer = await fetch(`${gateway.url}/v1/sessions/one/live`);
      await answer.body?.cancel();
      return answer.status;
    })
    .toBe(200);
});
