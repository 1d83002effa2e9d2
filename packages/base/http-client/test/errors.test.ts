import dns from "node:dns";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import {
  ApiError,
  ConnectionError,
  createHttpClient,
  HttpError,
  InvalidAnswerError,
  type RequestOptions,
  TimeoutError,
} from "@proj/http-client";
import { listen } from "@proj/test-kit";
import { describe, expect, test, vi } from "vitest";
import { closedPort, cut, json, serve } from "./serve.ts";

/** The error of a single attempt. */
async function failure(
  url: string,
  options: RequestOptions = {},
  path: string = "/x",
): Promise<unknown> {
  using client = createHttpClient({ baseUrl: url, retry: false, ...options });
  return await client.request("POST", path, options).then(
    (answer) => expect.fail(`answered ${answer.status}`),
    (error: unknown) => error,
  );
}

describe("an error answer", () => {
  const openAi = { error: { message: "Gone.", type: "invalid_request_error", code: "closed" } };
  const problem = {
    type: "about:blank",
    title: "Bad",
    detail: "size is not a number",
    status: 400,
  };
  test.each([
    ["an OpenAI-style body", openAi, "closed", "Gone."],
    ["one without a code", { error: { message: "No.", type: "t", code: null } }, "t", "No."],
    ["a problem document", problem, "about:blank", "size is not a number"],
    ["a problem with only a title", { title: "Bad" }, null, "Bad"],
    ["a plain error member", { error: "no such thing" }, null, "no such thing"],
    ["a list", ["a"], null, null],
    ["another shape", { error: { message: 1, code: {} } }, null, null],
  ])("with %s has its code and detail", async (_what, body, code, detail) => {
    await using server = await serve(json(body, 409, { "retry-after": "3" }));
    const error = await failure(server.url);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ method: "POST", status: 409, body, code, detail });
    expect(error).toMatchObject({ isRetryable: false, retryAfterMs: 3_000 });
    expect(String(error)).toMatch(/^ApiError: POST http:\/\/127.0.0.1:\d+\/x answered 409/);
    if (detail !== null) expect(String(error)).toContain(detail);
  });

  test("keeps a body that is not JSON as text, and an absent one as null", async () => {
    await using server = await serve(
      (res) => res.writeHead(502).end("<h1>Bad</h1>"),
      (res) => res.writeHead(500).end(),
    );
    expect(await failure(server.url)).toMatchObject({ status: 502, body: "<h1>Bad</h1>" });
    expect(await failure(server.url)).toMatchObject({ status: 500, body: null, code: null });
  });

  test("may be a redirect, which is not followed", async () => {
    await using server = await serve((res) => res.writeHead(302, { location: "/y" }).end());
    const error = await failure(server.url);
    expect(error).toMatchObject({ status: 302, headers: { location: "/y" }, isRetryable: false });
    expect(server.received).toHaveLength(1);
  });

  test.each([
    [408, {}, true],
    [425, {}, true],
    [429, {}, true],
    [500, {}, true],
    [503, { "x-should-retry": "false" }, false],
    [409, { "x-should-retry": "true" }, true],
    [401, {}, false],
  ])("%i with %j can be retried: %s", async (status, headers, isRetryable) => {
    await using server = await serve(json({}, status, headers));
    expect(await failure(server.url)).toMatchObject({ isRetryable });
  });
});

test("errors contain no credentials of the URL and nothing of the transport", async () => {
  await using server = await serve(json({}, 403));
  const url = server.url.replace("http://", "http://user:hunter2@");
  const options = { headers: { authorization: "Bearer hunter3" } };
  for (const base of [url, (await closedPort()).replace("//", "//user:hunter2@")]) {
    const error = await failure(
      base,
      options,
      "/x?access_token=hunter4&model=policy&Api-Key=hunter5",
    );
    expect(error).toMatchObject({
      url: expect.stringMatching(/\/x\?access_token=\*\*\*&model=policy&Api-Key=\*\*\*$/),
    });
    const shown = inspect(error, { depth: 10, showHidden: true });
    expect(shown).not.toMatch(/hunter\d|undici/i);
  }
});

test("without a listener, the call was never sent", async () => {
  const error = await failure(await closedPort());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: "ECONNREFUSED", neverSent: true, isRetryable: true });
  expect(error).toHaveProperty("cause.code", "ECONNREFUSED");
  expect(await failure("http://name.invalid")).toMatchObject({ neverSent: true });
});

test("if none of a host's several addresses has a listener, the call was never sent", async () => {
  const lookup = vi.spyOn(dns, "lookup");
  const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
  lookup.mockImplementation((...args: unknown[]) => {
    const answer = args.at(-1);
    if (typeof answer === "function") answer(null, addresses);
  });
  const { port } = new URL(await closedPort());
  const error = await failure(`http://several.test:${port}`);
  lookup.mockRestore();
  const cause = expect.any(AggregateError);
  expect(error).toMatchObject({ code: "ECONNREFUSED", neverSent: true, cause });
});

test("a connection that breaks before the answer is complete is a ConnectionError", async () => {
  const gzip = gzipSync("x".repeat(1_000));
  await using server = await serve(
    cut,
    (res) => res.writeHead(200, { "content-length": "9" }).write("{", () => res.destroy()),
    (res) => {
      res.writeHead(200, { "content-encoding": "gzip", "content-length": gzip.length });
      res.write(gzip.subarray(0, 15), () => res.destroy());
    },
  );
  for (const _ of [1, 2, 3]) {
    const error = await failure(server.url);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "ECONNRESET", neverSent: false });
  }
});

test("an answer that is not HTTP, not JSON, not decodable or too large is an InvalidAnswerError", async () => {
  await using garbage = await listen(
    createServer((socket) => socket.once("data", () => socket.end("SSH-2.0\r\n\r\n"))),
  );
  const ofGarbage = await failure(garbage.url);
  expect(ofGarbage).toBeInstanceOf(InvalidAnswerError);
  expect(String(ofGarbage)).toContain("answered with something that is not HTTP: ");
  await using server = await serve(
    (res) => res.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    (res) => res.writeHead(200, { "content-encoding": "gzip" }).end("plain"),
    json("x".repeat(100)),
  );
  expect(String(await failure(server.url))).toContain(
    "answered 200 with a body that is not JSON (text/html)",
  );
  expect(String(await failure(server.url))).toContain("cannot be decoded (Z_DATA_ERROR)");
  const tooLarge = await failure(server.url, { maxResponseBytes: 50 });
  expect(tooLarge).toBeInstanceOf(InvalidAnswerError);
  expect(tooLarge).toMatchObject({ isRetryable: false });
  expect(String(tooLarge)).toContain("answered more than 50 bytes");
});

test("an answer that does not arrive or not completely is a TimeoutError", async () => {
  await using server = await serve(
    () => {},
    (res) => res.writeHead(200, { "content-length": "9" }).write("{"),
  );
  for (const _ of [1, 2]) {
    const error = await failure(server.url, { timeoutMs: 50 });
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(HttpError);
    expect(String(error)).toContain("did not answer within 50 ms");
  }
});

test("an abort rejects with the signal's reason, before and during the call", async () => {
  await using server = await serve(() => abort.abort(reason));
  const reason = new Error("the launcher stops");
  const abort = new AbortController();
  expect(await failure(server.url, { signal: abort.signal })).toBe(reason);
  expect(await failure(server.url, { signal: abort.signal })).toBe(reason);
  expect(server.received).toHaveLength(1);
});
