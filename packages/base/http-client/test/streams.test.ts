import { createServer } from "node:http";
import { createHttpClient } from "@proj/http-client";
import { listen, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { json, serve } from "./serve.ts";

const headers = { "content-type": "application/json" };

test("a streamed body is read again for each attempt, and sent while it is read", async () => {
  await using server = await serve(json({}, 503), json("ok"));
  using client = createHttpClient({ baseUrl: server.url, retry: { minDelayMs: 1 } });
  let streams = 0;
  const stream = async function* (): AsyncIterable<string | Uint8Array> {
    streams += 1;
    yield '{"attempt":';
    yield Buffer.from(`${streams}}`);
  };
  await client.request("POST", "/", { stream, headers, idempotent: true });
  expect(server.received.map(({ body, headers }) => [body, headers["content-type"]])).toEqual([
    ['{"attempt":1}', "application/json"],
    ['{"attempt":2}', "application/json"],
  ]);
});

test("reading follows the server's pace, and ends with the call", async () => {
  await using server = await listen(createServer(() => {}));
  using client = createHttpClient({ baseUrl: server.url });
  let read = 0;
  let isEnded = false;
  const stream = async function* (): AsyncIterable<string> {
    try {
      for (; ; read += 1) yield "x".repeat(64 * 1024);
    } finally {
      isEnded = true;
    }
  };
  const abort = new AbortController();
  const pending = client.request("POST", "/", { stream, headers, signal: abort.signal });
  const outcome = expect(pending).rejects.toBe("enough");
  let before = -1;
  // The sockets' buffers are bounded, so reading must come to a halt.
  await waitFor(async () => {
    const halted = read > 0 && read === before;
    before = read;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return halted && read === before;
  }, "the reading to halt");
  expect(read).toBeLessThan(1_000);
  abort.abort("enough");
  await outcome;
  await waitFor(() => isEnded, "the stream to end");
});

test("an error of the stream fails the call, and the server does not get a complete body", async () => {
  const failures: string[] = [];
  const arrived = Promise.withResolvers<void>();
  const server = createServer((req) => {
    arrived.resolve();
    req.resume().once("error", ({ message }) => failures.push(message));
  });
  await using listening = await listen(server);
  using client = createHttpClient({ baseUrl: listening.url });
  const broken = new Error("the storage is gone");
  const stream = async function* (): AsyncIterable<string> {
    yield "{";
    await arrived.promise;
    throw broken;
  };
  await expect(client.request("POST", "/", { stream, headers })).rejects.toBe(broken);
  await waitFor(() => failures.length === 1, "the server to see it broken off");
});

test("an answer that arrives before the body has ended counts", async () => {
  const connections = new Set<object>();
  const server = createServer((req, res) => {
    connections.add(req.socket.once("close", () => connections.delete(req.socket)));
    res.writeHead(413, headers).end('{"error":"too large"}');
  });
  await using listening = await listen(server);
  using client = createHttpClient({ baseUrl: listening.url });
  const never = Promise.withResolvers<void>();
  const stream = async function* (): AsyncIterable<string> {
    yield "{";
    await never.promise;
  };
  await expect(client.request("POST", "/", { stream, headers })).rejects.toMatchObject({
    status: 413,
    detail: "too large",
  });
  await waitFor(() => connections.size === 0, "the connection to close");
  never.resolve();
});
