import { createServer } from "node:http";
import { connect } from "node:net";
import {
  closeBeforeHeaders,
  cutStreamAt,
  listen,
  type ReplyHandler,
  resetBeforeHeaders,
  sendGarbage,
  sendWrongLength,
  startFaultyUpstream,
  within,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { httpRuntime } from "../../src/runtime/http-runtime.ts";
import { llm_api_key, startRequest } from "../start-request.ts";
import { failureOf } from "./failure-of.ts";

const { signal } = new AbortController();

test("the request is posted as JSON to exactly this URL, and the answer is the result", async () => {
  await using server = await startFaultyUpstream(async (_request, reply) => {
    await reply.json({ status: "completed", total_reward: 2 });
  });
  const url = `${server.url}/play?mode=fast&token=abc`;
  const runtime = httpRuntime(url, { authorization: "Bearer opens" });
  expect(runtime.description).toBe(`endpoint ${server.url}/play?mode=fast&token=***`);
  expect(await runtime.run(startRequest, { signal })).toMatchObject({
    session_id: "session-1",
    status: "completed",
    total_reward: 2,
    metrics: {},
  });
  const { method, path, headers, ...request } = await server.nextRequest();
  expect([method, path]).toEqual(["POST", "/v1/play?mode=fast&token=abc"]);
  expect(headers).toMatchObject({
    authorization: "Bearer opens",
    "content-type": "application/json",
  });
  expect(JSON.parse(request.body.toString())).toEqual(startRequest);
});

test("nothing listens: it is tried again, and posted once when a server listens", async () => {
  const { port } = await closedServer();
  const running = httpRuntime(`http://127.0.0.1:${port}`).run(startRequest, { signal });
  await refused(port);
  let posts = 0;
  const server = createServer((_req, res) => {
    posts += 1;
    res.end(`{"status":"ok"}`);
  });
  server.listen(port, "127.0.0.1");
  expect(await within(running, "the result")).toMatchObject({ status: "ok" });
  expect(posts).toBe(1);
  server.closeAllConnections();
  server.close();
});

test("nothing ever listens: the error says so", async () => {
  const { url } = await closedServer();
  const { code, message } = await failureOf(httpRuntime(url));
  expect(code).toBe("runtime_unreachable");
  expect(message).toBe(`endpoint ${url} cannot be reached (ECONNREFUSED)`);
});

const result = `{"status":"ok"}`;
const faults: [string, ReplyHandler, string, string][] = [
  ["reset", resetBeforeHeaders(), "runtime_broke_off", "broke off the connection (ECONNRESET)"],
  ["closed", closeBeforeHeaders(), "runtime_broke_off", "before its answer was whole"],
  ["cut", sendWrongLength(result, 5), "runtime_broke_off", "before its answer was whole"],
  ["cut in a chunk", cutStreamAt([result], 7), "runtime_broke_off", "before its answer was whole"],
  ["no HTTP", sendGarbage(), "runtime_bad_result", "answered with something that is not HTTP"],
  [
    "empty",
    async (_, reply) => void (await reply.send("")),
    "runtime_bad_result",
    "answered nothing",
  ],
  [
    "no JSON",
    async (_, reply) => void (await reply.send("<h1>It works</h1>")),
    "runtime_bad_result",
    "answered something that is not JSON: <h1>It works</h1>",
  ],
  [
    "too large",
    async (_, reply) => void (await reply.send(JSON.stringify("x".repeat(2 ** 20)))),
    "runtime_bad_result",
    "answered more than 1048576 bytes",
  ],
  [
    "another session's",
    async (_, reply) => void (await reply.json({ status: "ok", session_id: "session-2" })),
    "runtime_bad_result",
    `"session_id" is "session-2" instead of "session-1"`,
  ],
  [
    "a refusal",
    async (_, reply) => void (await reply.json({ error: "no maze is free" }, { status: 503 })),
    "runtime_refused",
    `answered status 503: {"error":"no maze is free"}`,
  ],
  [
    "a redirect",
    async (_, reply) => void (await reply.send("", { status: 307, headers: { location: "/v2" } })),
    "runtime_refused",
    "answered status 307, and redirects are not followed",
  ],
];

test.each(faults)(
  "%s: the error says so, and the request is never posted twice",
  async (_, handler, code, what) => {
    await using server = await startFaultyUpstream(handler);
    const error = await failureOf(httpRuntime(server.url));
    expect(error.message).toContain(what);
    expect(error.code).toBe(code);
    expect(server.requests).toHaveLength(1);
  },
);

test("neither the key to the model nor the authorization is repeated from a server's answer", async () => {
  const secret = "c2VjcmV0";
  const echo: ReplyHandler = async ({ body, headers }, reply) => {
    await reply.send(`${body} ${headers.authorization}`, { status: 400 });
  };
  await using server = await startFaultyUpstream(echo);
  const runtime = httpRuntime(server.url, { authorization: `Basic ${secret}` });
  server.script(echo, async ({ body }, reply) => {
    await reply.send(`${body} ${secret}`);
  });
  for (const code of ["runtime_refused", "runtime_bad_result"]) {
    const error = await failureOf(runtime);
    expect(error.code).toBe(code);
    const shown = `${error.message} ${error.last_output} ${error.stack}`;
    expect(shown).toContain("***");
    expect(shown).not.toContain(llm_api_key);
    expect(shown).not.toContain(secret);
  }
});

test.each([
  ["before its answer", async () => {}],
  ["in the middle of its answer", async (_, reply) => void (await reply.start())],
] satisfies [string, ReplyHandler][])("an abort %s closes the connection", async (_, handler) => {
  const reason = new Error("its time is up");
  const abort = new AbortController();
  await using server = await startFaultyUpstream(handler);
  const failing = expect(httpRuntime(server.url).run(startRequest, abort)).rejects.toBe(reason);
  const request = await server.nextRequest();
  abort.abort(reason);
  await within(failing, "the aborted simulation");
  await request.closed();
});

test("an abort ends the wait for a server to listen", async () => {
  const reason = new Error("its time is up");
  const abort = new AbortController();
  const { url, port } = await closedServer();
  const failing = expect(httpRuntime(url).run(startRequest, abort)).rejects.toBe(reason);
  await refused(port);
  abort.abort(reason);
  await within(failing, "the aborted simulation");
});

test.each(["127.0.0.1:80", "ftp://host/", "", "/play"])("%j is not an endpoint", (url) => {
  expect(() => httpRuntime(url)).toThrow(`${url} is not an http or https URL`);
});

/** An address that was just closed: nothing listens there. */
async function closedServer(): Promise<{ readonly url: string; readonly port: number }> {
  await using server = await listen(createServer());
  return server;
}

/** Resolves when the port has refused a connection attempt made by this call. */
async function refused(port: number): Promise<void> {
  await new Promise((resolve) => connect(port, "127.0.0.1").once("error", resolve));
}
