import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import {
  chatCompletion,
  chatStream,
  closeBeforeHeaders,
  closeWhenReused,
  cutStreamAt,
  jsonBytes,
  type ReplyHandler,
  rawRequest,
  readServerSentEvents,
  resetBeforeHeaders,
  sendGarbage,
  sendGzip,
  sendHalfEvent,
  sendHalfHeaders,
  sendInterim,
  sendTrailers,
  sendWrongLength,
  startFaultyUpstream,
  staySilent,
  streamForever,
} from "../../src/index.ts";

const events = chatStream(chatCompletion());
const whole = Buffer.concat(events);
const get = "GET /v1/x HTTP/1.1\r\nhost: a\r\n\r\n";

/** Everything that a raw caller receives until the connection closes. */
async function receive(
  handler: ReplyHandler,
): Promise<{ text: string; error: string | undefined }> {
  await using upstream = await startFaultyUpstream(handler);
  await using connection = await rawRequest(upstream.port, get);
  const bytes = await connection.readUntilClosed();
  return { text: bytes.toString(), error: connection.error?.code };
}

/** A client that obeys HTTP, on a connection that it may reuse. */
async function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest(url, { agent }, resolve).on("error", reject).end();
  return promise;
}

test("garbage", async () => {
  const { text, error } = await receive(sendGarbage());
  expect(text).toContain("no HTTP");
  expect(error).toBeUndefined();
});

test("a reset and a close before the headers", async () => {
  expect(await receive(resetBeforeHeaders())).toEqual({ text: "", error: "ECONNRESET" });
  expect(await receive(closeBeforeHeaders())).toEqual({ text: "", error: undefined });
});

test("half headers, and silence, with the connection open", async () => {
  await using upstream = await startFaultyUpstream(staySilent());
  upstream.script(sendHalfHeaders());
  await using half = await rawRequest(upstream.port, get);
  expect(await half.readUntil("applicat")).not.toContain("\r\n\r\n");
  await using silent = await rawRequest(upstream.port, get);
  await upstream.nextRequest();
  const { reply } = await upstream.nextRequest();
  expect(upstream.openConnections).toBe(2);
  expect(silent.received).toHaveLength(0);
  await reply.raw("at last");
  await silent.readUntil("at last");
});

test("a content-length that is too long, and one too short", async () => {
  const body = '{"a":1}';
  expect((await receive(sendWrongLength(body, 5))).text).toMatch(/length: 12\r\n\r\n{"a":1}$/);
  expect((await receive(sendWrongLength(body, -3))).text).toMatch(/length: 4\r\n\r\n{"a":1}$/);
});

test.each(["reset", "close"] as const)("a stream cut at a byte by %s", async (by) => {
  await using upstream = await startFaultyUpstream(cutStreamAt(events, 100, { by }));
  const response = await fetch(upstream.url);
  const read = async (): Promise<Buffer> => {
    const chunks = [];
    try {
      for await (const chunk of response.body ?? []) chunks.push(chunk);
    } catch {
      return Buffer.concat(chunks);
    }
    throw new Error("the stream ended as if it were whole");
  };
  // A reset may overtake bytes that the caller has not read yet.
  const bytes = await read();
  if (by === "close") expect(bytes).toEqual(whole.subarray(0, 100));
  else expect(whole.subarray(0, 100).subarray(0, bytes.length)).toEqual(bytes);
});

test("half an event, then silence", async () => {
  await using upstream = await startFaultyUpstream(
    sendHalfEvent(events.slice(0, 2), { by: "silence" }),
  );
  await using connection = await rawRequest(upstream.port, get);
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = events;
  const half = second.subarray(0, Math.floor(second.length / 2));
  const received = await connection.readUntil(`${first}${half}`);
  expect(received).not.toContain(`${first}${second.subarray(0, half.length + 1)}`);
});

test("an endless stream stops when the caller leaves", async () => {
  await using upstream = await startFaultyUpstream(streamForever("data: again\n\n"));
  const response = await fetch(upstream.url);
  for await (const event of readServerSentEvents(response.body)) {
    expect(event.data).toBe("again");
    break;
  }
  await (await upstream.nextRequest()).closed();
});

test("a gzip-encoded answer", async () => {
  const { text } = await receive((request, reply) => {
    sendGzip("plain")(request, reply);
    reply.close();
  });
  expect(text).toContain("content-encoding: gzip");
  await using upstream = await startFaultyUpstream(sendGzip("plain"));
  await using connection = await rawRequest(
    upstream.port,
    get.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"),
  );
  const bytes = await connection.readUntilClosed();
  expect(gunzipSync(bytes.subarray(bytes.indexOf("\r\n\r\n") + 4)).toString()).toBe("plain");
});

test("a reused connection closes at its second request", async () => {
  await using upstream = await startFaultyUpstream(
    closeWhenReused((_request, reply) => void reply.json({ fine: true })),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await text(await ask(upstream.url, agent))).toBe('{"fine":true}');
  await expect(ask(upstream.url, agent)).rejects.toThrow("socket hang up");
  agent.destroy();
});

test("interim answers and trailers", async () => {
  const trailers = { "x-checksum": "abc" };
  await using upstream = await startFaultyUpstream(sendInterim(sendTrailers("{}", trailers)));
  const agent = new Agent();
  const response = await ask(upstream.url, agent);
  expect(response.statusCode).toBe(200);
  expect(await text(response)).toBe("{}");
  expect(response.trailers).toEqual(trailers);
  await using connection = await rawRequest(upstream.port, get);
  const received = await connection.readUntil("x-checksum: abc");
  expect(received.startsWith("HTTP/1.1 103 ")).toBe(true);
  agent.destroy();
});

test("bytes of a completion", () => {
  expect(JSON.parse(jsonBytes(chatCompletion()).toString())).toEqual(chatCompletion());
});
