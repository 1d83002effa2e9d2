import { once } from "node:events";
import {
  type FaultyUpstream,
  responseObject,
  responseStream,
  startFaultyUpstream,
} from "@proj/test-kit";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { afterEach, beforeEach, expect, test } from "vitest";
import WebSocket from "ws";
import { startGateway, type TestGateway } from "../start-gateway.ts";

// Responses over WebSockets: each frame is a request like one over HTTP, over an upstream that speaks HTTP alone.

let upstream: FaultyUpstream;
let gateway: TestGateway;
let made = 0;
let held: (() => void)[] = [];
let opened: WebSocket[] = [];

beforeEach(async () => {
  [held, opened] = [[], []];
  upstream = await startFaultyUpstream(async (request, reply) => {
    made += 1;
    const body = JSON.parse(request.body.toString());
    const said = JSON.stringify(body.input);
    if (said.includes("wait")) await new Promise<void>((resolve) => held.push(resolve));
    const text = `answer to ${said.length}`;
    if (said.includes("fail"))
      return void (await reply.json({ error: { message: "no", code: "bad" } }, { status: 400 }));
    await reply.events(responseStream(responseObject({ id: `resp_${made}`, text })));
  });
  const route = { base_url: upstream.url, endpoints: ["responses"] };
  gateway = await startGateway({
    llm_routes: { policy: route, silent: { ...route, websockets: false } },
    auth: { api_keys: ["callers-key"] },
    max_steps: 8,
  });
});
afterEach(async () => {
  for (const ws of opened) ws.terminate();
  for (const resume of held) resume();
  await gateway.close();
  await upstream.close();
});

type Event = Record<string, never> & { type: string };

/** A client that sends frames and reads events. */
async function connect(session_id: string | null, key = "callers-key", at = gateway) {
  const base = session_id === null ? `${at.url}/v1` : at.sessionUrl(session_id);
  const ws = new WebSocket(`${base.replace("http", "ws")}/responses`, {
    headers: { authorization: `Bearer ${key}` },
  });
  opened.push(ws);
  const events: Event[] = [];
  let came = (): void => {};
  ws.on("message", (data) => {
    events.push(JSON.parse(String(data)));
    came();
  });
  await once(ws, "open");
  const take = async (isLast: (event: Event) => boolean): Promise<Event[]> => {
    for (;;) {
      const at = events.findIndex(isLast);
      if (at >= 0) return events.splice(0, at + 1);
      await new Promise<void>((resolve) => {
        came = resolve;
      });
    }
  };
  return {
    ws,
    send: (frame: object) => ws.send(JSON.stringify({ type: "response.create", ...frame })),
    take,
    /** The events of the next answer. */
    answer: () => take(({ type }) => ends.has(type)),
  };
}

const ends = new Set(["response.completed", "response.failed", "error"]);
const idOf = (events: Event[]): string => JSON.parse(JSON.stringify(events.at(-1))).response.id;
const bodies = () => upstream.requests.map(({ body }) => JSON.parse(body.toString()));

test("the official client's frames are steps, and continue one another", async () => {
  const client = new OpenAI({ baseURL: gateway.sessionUrl("sdk"), apiKey: "callers-key" });
  const ws = new ResponsesWS(client);
  const ask = (frame: object): Promise<OpenAI.Responses.Response> =>
    new Promise((resolve, reject) => {
      ws.once("response.completed", ({ response }) => resolve(response));
      ws.once("error", reject);
      ws.send({ type: "response.create", model: "policy", ...frame });
    });
  const first = await ask({ input: "one", store: false });
  const second = await ask({ input: "two", previous_response_id: first.id });
  expect(second.output_text ?? "").toBeDefined();
  ws.close();
  const [one, two] = gateway.steps("sdk");
  expect([one?.step_id, two?.step_id]).toEqual([1, 2]);
  expect(two?.meta).toMatchObject({
    continues: { request_id: one?.request_id, by: "previous_response_id" },
    history: "served",
    is_stream: true,
  });
  expect(bodies()[1].input).toMatchObject([
    { content: "one" },
    { type: "message", role: "assistant" },
    { content: "two" },
  ]);
  expect(bodies()[0]).toEqual({ stream: true, model: "policy", input: "one", store: false });
});

test("frames of a lane are answered in turn, and lanes beside one another", async () => {
  const { send, answer } = await connect("lanes");
  send({ model: "policy", input: "wait", stream_id: "a" });
  send({ model: "policy", input: "after", stream_id: "a" });
  send({ model: "policy", input: "now", stream_id: "b" });
  const other = await answer();
  expect(new Set(other.map(({ stream_id }) => stream_id))).toEqual(new Set(["b"]));
  for (const resume of held) resume();
  const rest = [...(await answer()), ...(await answer())];
  expect(new Set(rest.map(({ stream_id }) => stream_id))).toEqual(new Set(["a"]));
  expect(bodies().map(({ input }) => input)).toEqual(["wait", "now", "after"]);
});

test("a prepared request takes no step, and can be continued", async () => {
  const { send, answer } = await connect("warm");
  send({ model: "policy", input: [{ role: "user", content: "long" }], generate: false });
  const prepared = await answer();
  expect(prepared.map(({ type }) => type)).toEqual([
    ...["response.created", "response.in_progress", "response.completed"],
  ]);
  expect(upstream.requests).toHaveLength(0);
  const added = [{ role: "user", content: "short" }];
  send({ model: "policy", input: added, previous_response_id: idOf(prepared) });
  await answer();
  expect(bodies()[0]).toMatchObject({ input: [{ content: "long" }, { content: "short" }] });
  expect(bodies()[0]).not.toHaveProperty("generate");
  expect(gateway.steps("warm")).toHaveLength(1);
  expect(gateway.steps("warm")[0]?.meta).not.toHaveProperty("continues");
});

test("without a session the connection itself remembers", async () => {
  const { send, answer, ws } = await connect(null);
  send({ model: "policy", input: "one" });
  const id = idOf(await answer());
  send({ model: "policy", input: "two", previous_response_id: id });
  await answer();
  expect(bodies()[1].input).toHaveLength(3);
  ws.close();
  const again = await connect(null);
  again.send({ model: "policy", input: "three", previous_response_id: id });
  expect(await again.answer()).toMatchObject([
    { type: "error", status: 404, error: { code: "previous_response_not_found" } },
  ]);
});

test("errors are frames, and the connection goes on", async () => {
  const { ws, send, answer } = await connect("errors");
  const codeOf = async () => {
    const [event] = await answer();
    const { status, error, stream_id } = JSON.parse(JSON.stringify(event));
    return [status, error.code, stream_id];
  };
  ws.send("{");
  expect(await codeOf()).toEqual([400, "invalid_request", undefined]);
  ws.send(Buffer.from("{}"), { binary: true });
  expect(await codeOf()).toEqual([400, "invalid_request", undefined]);
  send({ type: "session.update" });
  expect(await codeOf()).toEqual([400, "invalid_request", undefined]);
  send({ model: "nobody", input: "x", stream_id: "a" });
  expect(await codeOf()).toEqual([404, "model_not_found", "a"]);
  send({ model: "silent", input: "x" });
  expect(await codeOf()).toEqual([426, "websocket_not_supported", undefined]);
  send({ model: "policy", input: "fail" });
  expect(await codeOf()).toEqual([400, "bad", undefined]);
  send({ model: "policy", input: "x" });
  expect((await answer()).at(-1)?.type).toBe("response.completed");
});

test("the budget's stop is an answer, and a closed session ends the connection", async () => {
  const { ws, send, answer } = await connect("spent");
  for (let step = 0; step < 9; step += 1) {
    send({ model: "policy", input: `${step}` });
    expect((await answer()).at(-1)?.type).toBe("response.completed");
  }
  expect(upstream.requests).toHaveLength(8);
  await gateway.post("/v1/sessions/spent/close", {}, { authorization: "Bearer callers-key" });
  send({ model: "policy", input: "late" });
  expect(await answer()).toMatchObject([{ type: "error", error: { code: "session_closed" } }]);
  await once(ws, "close");
});

test("a caller that leaves within an answer cancels it, and its row says so", async () => {
  const { ws, send } = await connect("gone");
  send({ model: "policy", input: "wait" });
  while (upstream.requests.length === 0) await new Promise(setImmediate);
  ws.terminate();
  while (gateway.steps("gone").length === 0) await new Promise(setImmediate);
  expect(gateway.steps("gone")).toMatchObject([{ step_id: 1, status_code: 499 }]);
});

test("a key that is not known is refused before the connection is a WebSocket", async () => {
  await expect(connect("locked", "other")).rejects.toThrow("401");
});

test("a connection ends at its limit, after the answers that it still owes", async () => {
  await using limited = await startGateway(
    { llm_routes: { policy: { base_url: upstream.url, endpoints: ["responses"] } } },
    { socketLifetimeMs: 500 },
  );
  const { ws, send, take } = await connect("old", "none", limited);
  send({ model: "policy", input: "wait" });
  const [limit] = await take(({ type }) => type === "error");
  expect(limit).toMatchObject({
    ...{ status: 400, error: { code: "websocket_connection_limit_reached" } },
  });
  send({ model: "policy", input: "late" });
  const [refused] = await take(({ type }) => type === "error");
  expect(refused).toMatchObject({ error: { code: "websocket_connection_limit_reached" } });
  const closed = once(ws, "close");
  while (held.length === 0) await new Promise(setImmediate);
  for (const resume of held) resume();
  expect((await take(({ type }) => ends.has(type))).at(-1)?.type).toBe("response.completed");
  expect(await closed).toMatchObject([1001, expect.anything()]);
  expect(limited.steps("old")).toMatchObject([{ step_id: 1, status_code: 200 }]);
});

test("a connection takes a bounded number of frames", async () => {
  const { send, take } = await connect("many");
  for (let n = 0; n < 65; n += 1) send({ model: "policy", input: "wait" });
  const [refused] = await take(({ type }) => type === "error");
  expect(refused).toMatchObject({ status: 429, error: { code: "rate_limited" } });
});
