import { chatCompletion, rawRequest, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectErrorAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";
import { expectUnharmed } from "./unharmed.ts";

let upstream: Awaited<ReturnType<typeof startFaultyUpstream>>;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream((_request, reply) => {
    void reply.json(chatCompletion());
  });
  gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
});

afterEach(() => expectUnharmed(gateway));

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const body = JSON.stringify({ model: "demo", messages: [{ role: "user", content: "Hello" }] });
const path = "/v1/sessions/s/chat/completions";

function post(...headers: readonly string[]): string {
  const lines = [`POST ${path} HTTP/1.1`, "host: localhost", ...headers];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

const chat = post(`content-length: ${body.length}`) + body;
const lastChat = post(`content-length: ${body.length}`, "connection: close") + body;

/** Everything received until the gateway closed the connection: whole answers, and nothing else. */
async function answersTo(bytes: string | Buffer) {
  await using connection = await rawRequest(gateway.port, bytes);
  return readRawAnswers(await connection.readUntilClosed());
}

async function onlyAnswerTo(bytes: string | Buffer) {
  const [answer, ...others] = await answersTo(bytes);
  if (answer === undefined || others.length > 0) throw new Error("one answer was expected");
  return answer;
}

test.each([
  ["one header of 64 KiB", `x-large: ${"x".repeat(65_536)}`],
  ["ten thousand headers", Array.from({ length: 10_000 }, (_, i) => `x-${i}: y`).join("\r\n")],
])("%s is 431", async (_what, headers) => {
  const answer = await onlyAnswerTo(post(headers, "content-length: 0"));
  expect(expectErrorAnswer(answer, "headers_too_large")).toContain("32768 bytes");
  expect(answer.headers.get("connection")).toBe("close");
});

test("a path of 64 KiB is 431, one of 20 KiB is an unknown path", async () => {
  const get = (target: string): string =>
    `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;
  expectErrorAnswer(await onlyAnswerTo(get(`/${"x".repeat(65_536)}`)), "headers_too_large");
  expectErrorAnswer(await onlyAnswerTo(get(`/${"x".repeat(20_000)}`)), "not_found");
});

test.each([
  ["no HTTP", "hello\r\n\r\n"],
  ["the bytes of a TLS handshake", Buffer.from("16030100a5010000a10303", "hex")],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["an unknown method", "FETCH / HTTP/1.1\r\nhost: localhost\r\n\r\n"],
  ["another version", "GET / HTTP/3.0\r\nhost: localhost\r\n\r\n"],
  ["a header without a name", "GET / HTTP/1.1\r\nhost: localhost\r\n: x\r\n\r\n"],
  ["a space before the colon", "GET / HTTP/1.1\r\nhost : localhost\r\n\r\n"],
  ["a NUL in a header", "GET / HTTP/1.1\r\nhost: localhost\r\nx: a\u0000b\r\n\r\n"],
  ["a header that is folded", "GET / HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b\r\n\r\n"],
  ["two lengths", post("content-length: 5", "content-length: 6") + body],
  ["the same length twice", post("content-length: 5", "content-length: 5") + body],
  ["a list of lengths", post("content-length: 5, 5") + body],
  ["a negative length", post("content-length: -1") + body],
  ["a length in words", post("content-length: five") + body],
  ["a length and chunks", post("content-length: 5", "transfer-encoding: chunked") + body],
  ["chunks that are not the last coding", post("transfer-encoding: chunked, gzip") + body],
  ["an unknown coding beside a length", post("transfer-encoding: x", "content-length: 5") + body],
  ["a chunk without a size", `${post("transfer-encoding: chunked")}zz\r\n{`],
  ["a chunk larger than it says", `${post("transfer-encoding: chunked")}1\r\n{{\r\n0\r\n\r\n`],
])("%s is 400, in one answer of the common shape", async (_what, bytes) => {
  const before = upstream.requests.length;
  const answer = await onlyAnswerTo(bytes);
  expectErrorAnswer(answer, "invalid_request");
  expect(answer.headers.get("connection")).toBe("close");
  expect(upstream.requests).toHaveLength(before);
});

test("CONNECT opens no tunnel", async () => {
  const answer = await onlyAnswerTo(
    "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n",
  );
  expect(expectErrorAnswer(answer, "invalid_request")).toContain("tunnel");
});

test("an offered upgrade is ignored, and the request is served", async () => {
  const upgrade = [
    "connection: upgrade, close",
    "upgrade: h2c",
    "http2-settings: AAMAAABkAARAAAAA",
  ];
  const answer = await onlyAnswerTo(post(...upgrade, `content-length: ${body.length}`) + body);
  expect(answer.status).toBe(200);
  const websocket = [
    "connection: upgrade, close",
    "upgrade: websocket",
    "sec-websocket-version: 13",
  ];
  const get = ["GET /healthz HTTP/1.1", "host: localhost", ...websocket].join("\r\n");
  expect((await onlyAnswerTo(`${get}\r\n\r\n`)).status).toBe(200);
});

test("an unknown expectation is ignored", async () => {
  const expects = ["expect: a-miracle", "connection: close", `content-length: ${body.length}`];
  expect((await onlyAnswerTo(post(...expects) + body)).status).toBe(200);
});

test("pipelined requests are answered in order, each once", async () => {
  const health = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
  const invalid = `${post("content-length: 1")}{`;
  const answers = await answersTo(chat + health + invalid + lastChat);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200]);
  expect(answers[0]?.headers.get("x-gateway-step-id")).not.toBeNull();
  expect(answers[1]?.text).toBe('{"status":"ok"}');
});

test.each(["destroy", "reset"] as const)(
  "a caller that leaves with several requests open cancels them all (%s)",
  async (how) => {
    upstream.script(
      () => {},
      () => {},
      () => {},
    );
    const order = upstream.requests.length;
    await using connection = await rawRequest(gateway.port, chat + chat + chat);
    await waitFor(() => upstream.requests.length === order + 3, "all three to be upstream");
    connection[how]();
    for (const request of upstream.requests.slice(order)) await request.closed();
  },
);

test("a caller that does not read a pipelined answer blocks nothing", async () => {
  upstream.script(() => {});
  const order = upstream.requests.length;
  await using connection = await rawRequest(gateway.port, chat + chat);
  // The second request is answered, and its answer waits for the first.
  await waitFor(() => upstream.requests[order + 1]?.reply.finished, "the second to be answered");
  connection.reset();
  await upstream.requests[order]?.closed();
});

test("garbage after an answered request gets its own error", async () => {
  await using connection = await rawRequest(gateway.port, chat);
  await connection.readUntil("chat.completion");
  await connection.write("garbage\r\n\r\n");
  const answers = readRawAnswers(await connection.readUntilClosed());
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

test("garbage after unanswered requests gets its error after their answers", async () => {
  upstream.script(
    () => {},
    () => {},
  );
  const order = upstream.requests.length;
  await using connection = await rawRequest(gateway.port, `${chat}${chat}garbage\r\n\r\n`);
  await waitFor(() => upstream.requests.length === order + 2, "both to be upstream");
  // More garbage changes nothing.
  await connection.write("garbage\r\n\r\n".repeat(1_000));
  await fetch(`${gateway.url}/healthz`);
  expect(connection.received.toString()).toBe("");
  for (const { reply } of upstream.requests.slice(order)) void reply.json(chatCompletion());
  const answers = readRawAnswers(await connection.readUntilClosed());
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
});

test("garbage in a request's body gets its error after the earlier answers", async () => {
  upstream.script(() => {});
  const order = upstream.requests.length;
  const broken = `${post("transfer-encoding: chunked")}zz\r\n{`;
  await using connection = await rawRequest(gateway.port, chat + broken);
  await waitFor(() => upstream.requests.length === order + 1, "the first to be upstream");
  void upstream.requests[order]?.reply.json(chatCompletion());
  const answers = readRawAnswers(await connection.readUntilClosed());
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

test("an error about garbage comes after an answer that has begun, never within it", async () => {
  upstream.script(async (_request, reply) => {
    await reply.startEvents();
    await reply.write('data: {"choices":[]}\n\n');
  });
  const order = upstream.requests.length;
  await using connection = await rawRequest(gateway.port, chat);
  await connection.readUntil("choices");
  await connection.write("garbage\r\n\r\n");
  await fetch(`${gateway.url}/healthz`);
  await upstream.requests[order]?.reply.write("data: [DONE]\n\n");
  await upstream.requests[order]?.reply.end();
  const answers = readRawAnswers(await connection.readUntilClosed());
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  expect(answers[0]?.text).toBe('data: {"choices":[]}\n\ndata: [DONE]\n\n');
});

test("two Host headers are refused, on model paths and elsewhere", async () => {
  const hosts = ["connection: close", "Host: evil.example"];
  const answer = await onlyAnswerTo(post(...hosts, `content-length: ${body.length}`) + body);
  expect(expectErrorAnswer(answer, "invalid_request")).toContain("more than one 'host'");
  const get = ["GET /healthz HTTP/1.1", "host: localhost", "HOST: localhost", "connection: close"];
  expectErrorAnswer(await onlyAnswerTo(`${get.join("\r\n")}\r\n\r\n`), "invalid_request");
});

test("unfinished headers are cut off after caller_headers_s", async () => {
  await using quick = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    timeouts: { caller_headers_s: 0.2 },
  });
  await using connection = await rawRequest(quick.port, "GET /healthz HTTP/1.1\r\nhost: local");
  const [answer] = readRawAnswers(await connection.readUntilClosed());
  if (answer === undefined) throw new Error("no answer");
  expectErrorAnswer(answer, "request_timeout");
});

test("a hundred silent connections do not block other callers", async () => {
  const connections = await Promise.all(
    Array.from({ length: 100 }, () => rawRequest(gateway.port, "POST /v1/chat")),
  );
  await expectUnharmed(gateway);
  for (const connection of connections) connection.reset();
});
