import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { rawRequest, waitFor, within } from "@proj/test-kit";
import { expect, test } from "vitest";
import { notFound, reply } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serveSnips } from "./serve.ts";

const get = "GET /snips HTTP/1.1\r\nhost: x\r\n\r\n";

/** A source of endless kilobytes that counts how much was read, and records when it was closed. */
function endless() {
  const closed = Promise.withResolvers<void>();
  const source = { kilobytes: 0, closed: closed.promise };
  async function* generate(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        source.kilobytes++;
        yield Buffer.alloc(1024);
      }
    } finally {
      closed.resolve();
    }
  }
  const pull = (controller: ReadableStreamDefaultController): void => {
    source.kilobytes++;
    controller.enqueue(new Uint8Array(1024));
  };
  const streams = {
    generator: generate,
    "node:stream": () => Readable.from(generate()),
    web: () => new ReadableStream({ pull, cancel: () => closed.resolve() }),
    Response: () => new Response(streams.web()),
  };
  return { source, streams };
}

test.each(["generator", "node:stream", "web", "Response"] as const)(
  "a caller that stops reading pauses the source (%s), and closes it by disconnecting",
  async (kind) => {
    const { source, streams } = endless();
    const { port } = await serveSnips({ index: () => streams[kind]() });
    const connection = await rawRequest(port);
    connection.pause();
    await connection.write(get);
    let last = -1;
    await waitFor(async () => {
      const still = source.kilobytes > 0 && source.kilobytes === last;
      last = source.kilobytes;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return still;
    }, "the source to stop");
    connection.destroy();
    await within(source.closed, "the source to be closed");
  },
);

test("a silent source is closed when the caller disconnects", async () => {
  const cancelled = Promise.withResolvers<void>();
  const silent = new PassThrough();
  const results = [silent, new ReadableStream({ cancel: () => cancelled.resolve() })];
  const { port } = await serveSnips({ find: ({ id }) => results[Number(id)] });
  for (const id of [0, 1]) {
    const connection = await rawRequest(port, get.replace("/snips", `/snips/${id}`));
    const closed: Promise<unknown> = id === 0 ? once(silent, "close") : cancelled.promise;
    await ask(port, "/nothing");
    connection.destroy();
    await within(closed, "the source to be closed");
  }
});

test("the signal tells a waiting generator", async () => {
  const ended = Promise.withResolvers<string>();
  const { port } = await serveSnips({
    async *index({ signal }) {
      yield "begun";
      await once(signal, "abort");
      ended.resolve("ended");
    },
  });
  const connection = await rawRequest(port, get);
  await connection.readUntil("begun");
  connection.destroy();
  expect(await within(ended.promise, "the generator")).toBe("ended");
});

test("a caller that reads nothing for too long is disconnected", async () => {
  const { source, streams } = endless();
  const { port } = await serveSnips({ index: () => streams.generator() }, { stallTimeoutMs: 50 });
  await using connection = await rawRequest(port);
  connection.pause();
  await connection.write(get);
  await within(source.closed, "the source to be closed");
});

test("an error before the first chunk can still be answered", async () => {
  const errors: unknown[] = [];
  const broken = new Error("broken");
  const { port } = await serveSnips(
    {
      index: () =>
        new Readable({
          read: (): never => {
            throw broken;
          },
        }),
      find: () =>
        new Readable({
          read: (): never => {
            throw notFound("gone");
          },
        }),
    },
    { onError: (error) => errors.push(error) },
  );
  const { status, text } = await ask(port, "/snips");
  expect([status, JSON.parse(text)]).toEqual([
    500,
    { title: "Internal Server Error", status: 500 },
  ]);
  expect(errors).toEqual([broken]);
  expect((await ask(port, "/snips/1")).status).toBe(404);
  for (const [path, status] of [
    ["/snips", 500],
    ["/snips/1", 404],
  ] as const)
    expect((await ask(port, path, { method: "HEAD" })).status).toBe(status);
});

test("a later error cuts the connection, so that the answer does not look complete", async () => {
  const errors: unknown[] = [];
  const { port } = await serveSnips(
    {
      async *index() {
        yield "begun";
        throw new Error("broken");
      },
    },
    { onError: (error) => errors.push(error) },
  );
  await using connection = await rawRequest(port, get);
  const received = String(await connection.readUntilClosed());
  expect(received).toMatch(/begun\r\n$/);
  expect(errors).toMatchObject([{ message: "broken" }]);
});

test.each([3, 30])(
  "a length of %d that differs from the stream's cuts the connection",
  async (length) => {
    const errors: unknown[] = [];
    const headers = { "content-length": String(length) };
    const { port } = await serveSnips(
      { index: () => reply(200, Readable.from(["ab", "cdef"]), headers) },
      { onError: (error) => errors.push(error) },
    );
    await using connection = await rawRequest(port, get);
    await connection.readUntilClosed();
    expect(errors).toMatchObject([{ code: "ERR_HTTP_CONTENT_LENGTH_MISMATCH" }]);
  },
);

test("a stream with a given length is sent with it", async () => {
  const answer = () => reply(200, Readable.from(["ab", "cdef"]), { "content-length": "6" });
  const { port } = await serveSnips({ index: answer });
  const { headers, text } = await ask(port, "/snips");
  expect([headers["content-length"], text]).toEqual(["6", "abcdef"]);
  const head = await ask(port, "/snips", { method: "HEAD" });
  expect([head.status, head.headers["content-length"], head.text]).toEqual([200, "6", ""]);
});

test("HEAD reads the first chunk of a source, and closes it", async () => {
  const { source, streams } = endless();
  const { port } = await serveSnips({ index: () => streams.web() });
  expect((await ask(port, "/snips", { method: "HEAD" })).status).toBe(200);
  await within(source.closed, "the source to be closed");
});

test("a chunk that is neither a string nor bytes is an error", async () => {
  const errors: unknown[] = [];
  const { port } = await serveSnips(
    { index: () => Readable.from([{ a: 1 }]) },
    { onError: (error) => errors.push(error) },
  );
  expect((await ask(port, "/snips")).status).toBe(500);
  expect(errors).toEqual([expect.any(TypeError)]);
});
