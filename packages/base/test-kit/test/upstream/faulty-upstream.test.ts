import { Agent, request as httpRequest } from "node:http";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { rawRequest, readServerSentEvents, startFaultyUpstream } from "../../src/index.ts";

const body = JSON.stringify({ model: "a", messages: [] });
const post = { method: "POST", body } as const;

test("records requests in order, as they were on the wire", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => void reply.json({ ok: 1 }));
  const first = await fetch(`${upstream.url}/a?b=c`, { ...post, headers: { "X-Mixed": "1" } });
  expect(await first.json()).toEqual({ ok: 1 });
  await fetch(`${upstream.url}/second`);

  const request = await upstream.nextRequest();
  expect(request).toMatchObject({ order: 1, method: "POST", path: "/v1/a?b=c" });
  expect(request.body.toString()).toBe(body);
  expect(request.json()).toEqual({ model: "a", messages: [] });
  expect(request.headers["x-mixed"]).toBe("1");
  expect(String(await upstream.nextRequest())).toBe("request 2 (GET /v1/second)");
  expect(upstream.requests).toHaveLength(2);
});

test("reads chunked, split and pipelined requests, and repeated headers", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => void reply.send("x"));
  await using connection = await rawRequest(
    upstream.port,
    "POST /1 HTTP/1.1\r\nA: 1\r\na: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
  );
  await connection.write(
    "a\r\n0123456789\r\n0\r\n\r\nPOST /2 HTTP/1.1\r\ncontent-length: 2\r\n\r\nhiGET /3 ",
  );
  await connection.write("HTTP/1.1\r\n\r\n");
  const [one, two, three] = [
    await upstream.nextRequest(),
    await upstream.nextRequest(),
    await upstream.nextRequest(),
  ];
  expect([one.body.toString(), two.body.toString(), three.path]).toEqual([
    "abc0123456789",
    "hi",
    "/3",
  ]);
  expect(one.headers.a).toBe("1, 2");
  expect(one.rawHeaders.slice(0, 4)).toEqual(["A", "1", "a", "2"]);
  expect([one, two, three].map((request) => request.orderOnConnection)).toEqual([1, 2, 3]);
});

test("without a handler the test itself answers, piece by piece", async () => {
  await using upstream = await startFaultyUpstream();
  const answer = fetch(`${upstream.url}/x`, post);
  const { reply } = await upstream.nextRequest();
  await reply.startEvents({ status: 201, headers: { "x-a": "b" } });
  const response = await answer;
  expect(response.status).toBe(201);
  expect(response.headers.get("x-a")).toBe("b");

  const events = readServerSentEvents(response.body);
  for (const data of ["one", "two"]) {
    await reply.write(`data: ${data}\n\n`);
    expect((await events.next()).value).toMatchObject({ data });
  }
  expect(reply.finished).toBe(false);
  await reply.end();
  expect((await events.next()).done).toBe(true);
});

test("a script goes first, with one handler for each request", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => void reply.json("last"));
  upstream.script(
    (_request, reply) => void reply.json("first", { status: 500 }),
    (_request, reply) => void reply.json("second"),
  );
  const answers = [];
  for (let index = 0; index < 3; index++) answers.push(await (await fetch(upstream.url)).json());
  expect(answers).toEqual(["first", "second", "last"]);
});

test("sees a caller leave, before and after the first byte", async () => {
  await using upstream = await startFaultyUpstream();
  for (const begun of [false, true]) {
    const abort = new AbortController();
    const answer = fetch(upstream.url, { ...post, signal: abort.signal });
    const outcome = answer.then(
      () => "answered",
      () => "aborted",
    );
    const request = await upstream.nextRequest();
    if (begun) {
      await request.reply.startEvents();
      await answer;
    }
    abort.abort();
    await request.closed();
    expect(await outcome).toBe(begun ? "answered" : "aborted");
  }
});

test("a finished answer does not count as cancelled", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => void reply.send("whole"));
  await (await fetch(upstream.url)).text();
  const request = await upstream.nextRequest();
  await expect(request.closed()).rejects.toThrow("request 1 (GET /v1) was finished, not cancelled");
});

test("time-outs say what was awaited", async () => {
  await using upstream = await startFaultyUpstream();
  const abort = new AbortController();
  const answer = fetch(`${upstream.url}/x`, { signal: abort.signal }).catch(() => "gone");
  const request = await upstream.nextRequest();
  await expect(request.closed(10)).rejects.toThrow(
    "waiting for the caller of request 1 (GET /v1/x) to close its connection",
  );
  await expect(upstream.nextRequest(10)).rejects.toThrow(
    "waiting for request 2; there were request 1 (GET /v1/x)",
  );
  abort.abort();
  expect(await answer).toBe("gone");
});

test("tells connections from requests", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => void reply.json({}));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let index = 0; index < 2; index++) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    httpRequest(`${upstream.url}/x`, { agent }, (response) => resolve(json(response))).end();
    await promise;
  }
  agent.destroy();
  await fetch(upstream.url, { headers: { connection: "close" } });
  expect(upstream.requests.map((request) => request.connection)).toEqual([1, 1, 2]);
  expect(upstream.connections).toBe(2);
});

test("close rethrows what a handler throws", async () => {
  const upstream = await startFaultyUpstream(() => {
    throw new Error("wrong in the test");
  });
  await expect(fetch(upstream.url)).rejects.toThrow();
  await expect(upstream.close()).rejects.toThrow("wrong in the test");
});
