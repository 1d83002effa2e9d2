import { createServer, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { listen } from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  packedFile,
  pageHeaders,
  plainFile,
  type StaticFile,
  sendFile,
} from "../../src/page/index.ts";

const text = "<p>a page of some length</p>".repeat(50);

async function ask(file: StaticFile, headers: Readonly<Record<string, string>>, method = "GET") {
  await using server = await listen(
    createServer((incoming, response) =>
      sendFile(incoming, response, file, { "cache-control": "no-cache" }),
    ),
  );
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  request(server.url, { headers, method, agent: false }, resolve).end();
  const answer = await promise;
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

const page = packedFile("page.html", text);

test.each([
  [{}, undefined],
  [{ "accept-encoding": "gzip, deflate, br, zstd" }, "br"],
  [{ "accept-encoding": "gzip" }, "gzip"],
  [{ "accept-encoding": "x-gzip;q=0.5, br;q=0" }, "gzip"],
  [{ "accept-encoding": "br;q=0.0, gzip;q=0" }, undefined],
  [{ "accept-encoding": "identity" }, undefined],
] as const)("with %j the coding is %s", async (headers, coding) => {
  const answer = await ask(page, headers);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    ...{ etag: page.etag, vary: "accept-encoding", "cache-control": "no-cache" },
    ...{ "content-type": "text/html; charset=utf-8", "content-length": String(answer.body.length) },
  });
  expect(answer.headers["content-encoding"]).toBe(coding);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  const body = coding === undefined ? answer.body : unpack[coding](answer.body);
  expect(String(body)).toBe(text);
});

test("a caller that has the file gets 304, and HEAD gets no body", async () => {
  for (const known of [page.etag, page.etag.slice(2), `"other", ${page.etag}`, "*"])
    expect(await ask(page, { "if-none-match": known })).toMatchObject({
      status: 304,
      body: Buffer.of(),
    });
  expect(await ask(page, { "if-none-match": '"other"' })).toMatchObject({ status: 200 });
  const head = await ask(page, {}, "HEAD");
  expect([head.headers["content-length"], head.body.length]).toEqual([String(text.length), 0]);
});

test("a file made for one request is not compressed", async () => {
  const answer = await ask(plainFile("feed.json", "{}"), { "accept-encoding": "br" });
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
});

test("a page runs only its own scripts", () => {
  const policy = (inlineStyles: boolean) =>
    pageHeaders({ inlineStyles })["content-security-policy"];
  expect(policy(false)).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(policy(true)).toContain("script-src 'self'; style-src 'self' 'unsafe-inline'; ");
});
