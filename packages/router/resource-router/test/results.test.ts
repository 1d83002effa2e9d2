import { Readable } from "node:stream";
import express from "express";
import { expect, test } from "vitest";
import { createRouter, reply, resource } from "../src/index.ts";
import { ask } from "./ask.ts";
import { answerTo, serve, serveSnips } from "./serve.ts";

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
])("%s is sent as JSON, directly or from a promise", async (_name, value, text) => {
  expect(await answerTo(value)).toEqual([200, json, text]);
  expect(await answerTo(Promise.resolve(value))).toEqual([200, json, text]);
});

test("bytes and streams are sent unchanged", async () => {
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

test("views of bytes are sent as bytes, a Blob with its type and length", async () => {
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

test("a string is sent as JSON unless its type says otherwise", async () => {
  const answers: readonly (readonly [type: string, text: string])[] = [
    ["text/html; charset=utf-8", "<p>é</p>"],
    ["application/json-seq", "<p>é</p>"],
    ["text/plain; profile=a/json", "<p>é</p>"],
    ["application/json; charset=utf-8", '"<p>é</p>"'],
    ["application/vnd.api+json", '"<p>é</p>"'],
  ];
  for (const [type, text] of answers) {
    const result = reply(200, "<p>é</p>", { "Content-Type": type });
    expect(await answerTo(result)).toEqual([200, type, text]);
  }
});

test("a stream that was already sent is an error, not an empty answer", async () => {
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

test("undefined is answered 204, and 404 from find", async () => {
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

test("an answer without a body has length 0, or no length for 204 and 304", async () => {
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

test("a given length is the only one, and a wrong one cuts the connection", async () => {
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

test("headers that were set before the router ran are kept", async () => {
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
