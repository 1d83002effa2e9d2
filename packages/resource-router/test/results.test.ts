import { Readable } from "node:stream";
import { rawRequest } from "@proj/test-kit";
import express from "express";
import { expect, test } from "vitest";
import {
  created,
  createRouter,
  group,
  noContent,
  notFound,
  Problem,
  reply,
  resource,
  updated,
} from "../src/index.ts";
import { ask } from "./ask.ts";
import { serve, serveSnips } from "./serve.ts";
import { startThree } from "./three-servers.ts";

/** What a GET of an item is answered where `find` gives this. */
async function answerTo(result: unknown): Promise<readonly unknown[]> {
  const { port } = await serveSnips({ find: () => result }, { onError: () => {} });
  const { status, headers, text } = await ask(port, "/snips/1");
  return [status, headers["content-type"], text];
}

const json = "application/json";
const bytes = "application/octet-stream";

test.each<readonly [string, unknown, string]>([
  ["an object", { a: 1 }, '{"a":1}'],
  ["an array", [1, "é"], '[1,"é"]'],
  ["a string", "text", '"text"'],
  ["an empty string", "", '""'],
  ["zero", 0, "0"],
  ["false", false, "false"],
  ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
  [
    "an object that looks like an answer",
    { status: 404, headers: {}, body: "x" },
    '{"status":404,"headers":{},"body":"x"}',
  ],
])("%s is sent as JSON, at once or by a promise", async (_name, value, text) => {
  expect(await answerTo(value)).toEqual([200, json, text]);
  expect(await answerTo(Promise.resolve(value))).toEqual([200, json, text]);
});

test("bytes and streams are sent as they are", async () => {
  const web = (): ReadableStream => new Blob(["a", "b"]).stream();
  async function* generator(): AsyncGenerator<string | Uint8Array> {
    yield "a";
    yield Buffer.from("b");
  }
  for (const body of [
    Buffer.from("ab"),
    new Uint8Array([97, 98]),
    Readable.from(["a", "b"]),
    web(),
    generator(),
  ])
    expect(await answerTo(body)).toEqual([200, bytes, "ab"]);
  for (const body of [Buffer.from("ab"), Readable.from(["a", "b"]), web(), generator()])
    expect(await answerTo(reply(203, body, { "Content-Type": "text/csv" }))).toEqual([
      203,
      "text/csv",
      "ab",
    ]);
  expect(await answerTo(Readable.from([]))).toEqual([200, bytes, ""]);
});

test("what holds bytes is sent as bytes, a Blob with its type and length", async () => {
  const data = Buffer.from("abcd");
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + 4);
  expect(await answerTo(buffer)).toEqual([200, bytes, "abcd"]);
  expect(await answerTo(new DataView(buffer, 1, 2))).toEqual([200, bytes, "bc"]);
  expect(await answerTo(new Uint16Array(buffer))).toEqual([200, bytes, "abcd"]);
  expect(await answerTo(new Blob(["ab"]))).toEqual([200, bytes, "ab"]);
  const page = new Blob(["<p>"], { type: "text/html" });
  expect(await answerTo(page)).toEqual([200, "text/html", "<p>"]);
  expect(await answerTo(reply(200, page, { "content-type": "text/x" }))).toEqual([
    200,
    "text/x",
    "<p>",
  ]);
  const { port } = await serveSnips({ index: () => page });
  for (const method of ["GET", "HEAD"])
    expect((await ask(port, "/snips", { method })).headers["content-length"]).toBe("3");
});

test("a string is JSON unless its type says otherwise", async () => {
  const answers: readonly (readonly [type: string, text: string])[] = [
    ["text/html; charset=utf-8", "<p>é</p>"],
    ["application/json-seq", "<p>é</p>"],
    ["application/json; charset=utf-8", '"<p>é</p>"'],
    ["application/vnd.api+json", '"<p>é</p>"'],
  ];
  for (const [type, text] of answers) {
    const result = reply(200, "<p>é</p>", { "Content-Type": type });
    expect(await answerTo(result)).toEqual([200, type, text]);
  }
});

test("a stream that was sent is not sent again as an empty answer", async () => {
  async function* generate(): AsyncGenerator<string> {
    yield "a";
  }
  for (const stream of [Readable.from(["a"]), new Blob(["a"]).stream(), generate()]) {
    const errors: unknown[] = [];
    const { port } = await serveSnips(
      { find: () => stream },
      { onError: (error) => errors.push(error) },
    );
    expect((await ask(port, "/snips/1")).text).toBe("a");
    expect((await ask(port, "/snips/1")).status).toBe(500);
    expect(errors).toEqual([expect.any(TypeError)]);
  }
  const again: AsyncIterable<string> = { [Symbol.asyncIterator]: generate };
  for (let times = 0; times < 2; times++) expect(await answerTo(again)).toEqual([200, bytes, "a"]);
});

test("nothing is 204, and 404 where an item was to be found", async () => {
  const nothing = (): void => {};
  const { port } = await serveSnips({
    index: nothing,
    find: nothing,
    update: async () => {},
    delete: nothing,
  });
  const status = async (method: string, path: string): Promise<number> =>
    (await ask(port, path, { method })).status;
  expect(await status("GET", "/snips")).toBe(204);
  expect(await status("PUT", "/snips/1")).toBe(204);
  expect(await status("DELETE", "/snips/1")).toBe(204);
  expect(await status("GET", "/snips/1")).toBe(404);
  expect(await status("HEAD", "/snips/1")).toBe(404);
  const nulls = await serveSnips({ index: () => null, find: async () => null });
  expect((await ask(nulls.port, "/snips")).text).toBe("null");
  expect((await ask(nulls.port, "/snips/1")).status).toBe(404);
});

test("an answer without a body says so", async () => {
  const { port } = await serveSnips({
    find: ({ id }) => reply(Number(id), undefined, { "x-a": ["1", "2"] }),
  });
  for (const [status, length] of [
    [200, "0"],
    [202, "0"],
    [204, undefined],
    [304, undefined],
  ] as const) {
    const { headers, text, status: answered } = await ask(port, `/snips/${status}`);
    expect([answered, headers["content-length"], headers["x-a"], text]).toEqual([
      status,
      length,
      "1, 2",
      "",
    ]);
  }
});

test("the helpers say what they are called", async () => {
  expect(await answerTo(updated({ a: 1 }))).toEqual([200, json, '{"a":1}']);
  expect(await answerTo(updated())).toEqual([204, undefined, ""]);
  expect(await answerTo(noContent())).toEqual([204, undefined, ""]);
  const [status, type, text] = await answerTo(notFound("No snip 1."));
  expect([status, type, JSON.parse(String(text))]).toEqual([
    404,
    "application/problem+json",
    { title: "Not Found", status: 404, detail: "No snip 1." },
  ]);
});

test("a problem may have members and headers of its own", async () => {
  const members = { type: "https://example.com/full", title: "Full", balance: 3 };
  const problem = new Problem(429, "Too many.", { members, headers: { "Retry-After": "7" } });
  const { port } = await serveSnips({
    index: () => problem,
    find: async () => {
      throw problem;
    },
  });
  for (const path of ["/snips", "/snips/1"]) {
    const { status, headers, text } = await ask(port, path);
    expect([status, headers["retry-after"]]).toEqual([429, "7"]);
    expect(JSON.parse(text)).toEqual({ ...members, status: 429, detail: "Too many." });
  }
});

test("a problem may have a type of its own, and has no other", async () => {
  const type = "application/vnd.error+json";
  const { port } = await serveSnips({
    index: () => new Problem(400, "No.", { headers: { "Content-Type": type } }),
  });
  await using connection = await rawRequest(port, "GET /snips HTTP/1.1\r\nhost: x\r\n\r\n");
  const head = await connection.readUntil("No.");
  expect(head.match(/content-type: .*/gi)).toEqual([`content-type: ${type}`]);
});

test("created names the item's path, whatever its id, wherever the router is mounted", async () => {
  const ids = ["7", "a b", "a/b", "?#%", "é"];
  const create = { create: () => created(ids[next++ % ids.length] ?? "", { ok: true }) };
  let next = 0;
  const router = createRouter([
    resource("snips", create),
    group("api", [resource("snips", create)]),
  ]);
  for (const place of await startThree(router)) {
    await using open = place;
    for (const path of ["/snips", "/snips/", "/snips?a=/b/", "/api/snips", "/api/snips/"]) {
      const collection = place.prefix + path.replace(/\/?(\?.*)?$/, "");
      const id = ids[next % ids.length] ?? "";
      const { status, headers, text } = await open.ask(path, { method: "POST" });
      expect([status, text]).toEqual([201, '{"ok":true}']);
      expect(headers.location, place.name).toBe(`${collection}/${encodeURIComponent(id)}`);
    }
  }
});

test("created by an update names the item's path too, and a whole URL as target its path alone", async () => {
  const { port } = await serveSnips({
    update: ({ id }) => created(id),
    create: () => created("8"),
  });
  expect((await ask(port, "/snips/7", { method: "PUT" })).headers.location).toBe("/snips/7");
  const { headers } = await ask(port, "http://any.example/snips", { method: "POST" });
  expect(headers.location).toBe("/snips/8");
});

test("a web Response is sent with its status, headers and body", async () => {
  expect(await answerTo(new Response("text"))).toEqual([200, "text/plain;charset=UTF-8", "text"]);
  expect(await answerTo(Response.json({ a: 1 }, { status: 202 }))).toEqual([202, json, '{"a":1}']);
  expect(await answerTo(new Response(null, { status: 204 }))).toEqual([204, undefined, ""]);
  const { port } = await serveSnips({
    index: () => {
      const headers = new Headers([
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ]);
      return new Response("ab", { headers });
    },
  });
  expect((await ask(port, "/snips")).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  expect(await ask(port, "/snips", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
});

test("a length that is given is the only one, and a wrong one cuts the connection", async () => {
  const errors: unknown[] = [];
  const { port } = await serveSnips(
    { find: ({ id }) => reply(200, Buffer.from("abc"), { "Content-Length": id }) },
    { onError: (error) => errors.push(error) },
  );
  const { headers, text } = await ask(port, "/snips/3");
  expect([headers["content-length"], text]).toEqual(["3", "abc"]);
  for (const wrong of ["2", "4"]) await expect(ask(port, `/snips/${wrong}`)).rejects.toThrow();
  expect(errors).toMatchObject(Array(2).fill({ code: "ERR_HTTP_CONTENT_LENGTH_MISMATCH" }));
});

test("headers that were set before the router came stay", async () => {
  const router = createRouter([resource("snips", { find: () => "one" })]);
  const app = express().use((_request, response, next) => {
    response.setHeader("x-before", "kept");
    next();
  }, router.middleware);
  const { port } = await serve(app);
  const { headers } = await ask(port, "/snips/1");
  expect(headers).toMatchObject({
    "x-before": "kept",
    "x-powered-by": "Express",
    "content-type": json,
  });
});
