import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { listen, rawRequest, within } from "@proj/test-kit";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { type BodyContext, createRouter, type RouterOptions, resource } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serve, serveSnips } from "./serve.ts";

const head = "POST /snips HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
const echo = { create: ({ body }: BodyContext) => body.json() };

test("a body may arrive in pieces", async () => {
  const { port } = await serveSnips(echo);
  await using connection = await rawRequest(port, `${head}content-length: 6\r\n\r\n"a`);
  for (const piece of ["b", "cd", '"']) await connection.write(piece);
  expect(await connection.readUntil('"abcd"')).toContain("200 OK");
});

test("a request whose body was read has no listener of the router's", async () => {
  const counts = (request: IncomingMessage) =>
    ["data", "end", "close"].map((name) => request.listenerCount(name));
  const found: number[][] = [];
  const read = ({ body }: BodyContext) => body.json().finally(() => found.push(counts(last)));
  const { middleware } = createRouter([resource("snips", { create: read })]);
  let last: IncomingMessage;
  const { port } = await serve((request, response) => {
    found.push(counts(request));
    last = request;
    middleware(request, response);
  });
  const headers = { "content-type": "application/json" };
  await ask(port, "/snips", { method: "POST", headers, body: "1" });
  expect(found).toHaveLength(2);
  expect(found[1]).toEqual(found[0]);
});

test("a body that does not arrive in time is answered 408, and the connection is closed", async () => {
  const { port } = await serveSnips(echo, { bodyTimeoutMs: 20 });
  await using connection = await rawRequest(port, `${head}content-length: 6\r\n\r\n"a`);
  const received = String(await connection.readUntilClosed());
  expect(received).toContain("408 Request Timeout");
  expect(received).toContain("connection: close");
});

test("a caller that sends without end is answered 413, and disconnected", async () => {
  const { port } = await serveSnips(echo, { maxBodyBytes: 1000 });
  await using connection = await rawRequest(port, `${head}transfer-encoding: chunked\r\n\r\n`);
  const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
  for (let chunks = 0; chunks < 3; chunks++) await connection.write(chunk);
  await connection.readUntil("413 Payload Too Large");
  await connection.readUntilClosed();
});

test("a caller that reads only after sending everything learns that its body was too large", async () => {
  const { port } = await serveSnips(echo, { maxBodyBytes: 1000 });
  const length = 4_000_000;
  await using connection = await rawRequest(port, `${head}content-length: ${length}\r\n\r\n`);
  connection.pause();
  await connection.write(Buffer.alloc(length));
  connection.resume();
  expect(String(await connection.readUntilClosed())).toContain("413 Payload Too Large");
});

test("a body that breaks off aborts the signal and the reading, and onError is not called", async () => {
  const aborted = Promise.withResolvers<unknown>();
  const onError = (error: unknown): void => aborted.reject(error);
  const create = async ({ body, signal }: BodyContext): Promise<unknown> => {
    const reading = body.json();
    signal.addEventListener("abort", () =>
      reading.catch((error: Error) => aborted.resolve([error.name, signal.reason.name])),
    );
    return reading;
  };
  const { port } = await serveSnips({ create }, { onError });
  const connection = await rawRequest(port, `${head}content-length: 6\r\n\r\n"a`);
  connection.reset();
  expect(await within(aborted.promise, "the abort")).toEqual(["AbortError", "AbortError"]);
});

test("reading a body after the caller has disconnected fails at once", async () => {
  const result = Promise.withResolvers<unknown>();
  const create = async ({ signal, body }: BodyContext): Promise<void> => {
    await once(signal, "abort");
    result.resolve(await body.bytes().catch((error: Error) => error.name));
  };
  const { port } = await serveSnips({ create });
  const connection = await rawRequest(port, `${head}content-length: 6\r\n\r\n"a`);
  connection.reset();
  expect(await within(result.promise, "the reading")).toBe("AbortError");
});

async function serveContinuing(options: RouterOptions): Promise<number> {
  const router = createRouter([resource("snips", echo)], options);
  const server = createServer(router.middleware);
  if (options.sendContinue === true) server.on("checkContinue", router.middleware);
  const listening = await listen(server);
  onTestFinished(() => listening.close());
  return listening.port;
}

test.each([true, false])("100 Continue is sent once (sendContinue: %s)", async (sendContinue) => {
  const port = await serveContinuing({ sendContinue });
  await using connection = await rawRequest(
    port,
    `${head}expect: 100-continue\r\ncontent-length: 3\r\n\r\n`,
  );
  await connection.readUntil("100 Continue");
  await connection.write('"a"');
  const received = await connection.readUntil('"a"');
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 200"]);
});

test("with sendContinue, a refused body is never sent", async () => {
  const port = await serveContinuing({ sendContinue: true, maxBodyBytes: 1000 });
  await using connection = await rawRequest(
    port,
    `${head}expect: 100-continue\r\ncontent-length: 1001\r\n\r\n`,
  );
  expect(String(await connection.readUntilClosed())).toMatch(/^HTTP\/1\.1 413/);
});

test("behind a body parser of Express, json gives the parsed value, and the other methods fail", async () => {
  const errors: unknown[] = [];
  const router = createRouter(
    [
      resource("snips", {
        create: ({ body }) => body.json((value) => ({ read: value })),
        update: ({ body }) => body.text(),
      }),
    ],
    { onError: (error) => errors.push(error) },
  );
  const { port } = await serve(express().use(express.json(), router.middleware));
  const asked = { headers: { "content-type": "application/json" }, body: '{"a":1}' };
  expect((await ask(port, "/snips", { method: "POST", ...asked })).text).toBe('{"read":{"a":1}}');
  expect((await ask(port, "/snips", { method: "POST" })).status).toBe(400);
  expect((await ask(port, "/snips/1", { method: "PUT", ...asked })).status).toBe(500);
  expect(errors).toEqual([
    expect.objectContaining({ message: expect.stringContaining("body parsers") }),
  ]);
});

test("an unread body does not hold up the next request", async () => {
  const { port } = await serveSnips({ create: () => "created", find: ({ id }) => id });
  await using connection = await rawRequest(port, `${head}content-length: 100000\r\n\r\n`);
  await connection.write(`${"x".repeat(100_000)}GET /snips/7 HTTP/1.1\r\nhost: x\r\n\r\n`);
  await connection.readUntil('"7"');
});

test("a stream sent while the body is unread ends the connection", async () => {
  const { port } = await serveSnips(
    { create: ({ body }) => body.bytes().catch(() => Readable.from(["too much"])) },
    { maxBodyBytes: 10 },
  );
  await using connection = await rawRequest(port, `${head}transfer-encoding: chunked\r\n\r\n`);
  await connection.write(`14\r\n${"x".repeat(20)}\r\n`);
  const received = String(await connection.readUntilClosed());
  expect(received).toContain("connection: close");
  expect(received).toContain("too much");
});

test("a body that the operation read is not mistaken for one that a parser left on the request", async () => {
  const { handle } = createRouter([
    resource("snips", {
      create: async ({ body }) => [(await body.bytes()).length, await body.json()],
    }),
  ]);
  const { port } = await serve((request, response) => {
    // As older parsers do with a type that is not theirs.
    Object.assign(request, { body: {} });
    handle(request, response);
  });
  const headers = { "content-type": "application/json" };
  const { text } = await ask(port, "/snips", { method: "POST", headers, body: "[7]" });
  expect(text).toBe("[3,[7]]");
});
