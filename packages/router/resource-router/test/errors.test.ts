import { once } from "node:events";
import { rawRequest, within } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { badRequest, created, nodeExchange, Problem, reply } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serveSnips } from "./serve.ts";

const secret = new Error("the password is swordfish");
const circular: { self?: unknown } = {};
circular.self = circular;

test.each<readonly [string, () => unknown, unknown]>([
  [
    "throws",
    () => {
      throw secret;
    },
    secret,
  ],
  ["rejects", () => Promise.reject(secret), secret],
  [
    "throws null",
    () => {
      throw null;
    },
    null,
  ],
  ["rejects with null", () => Promise.reject(null), null],
  ["rejects with nothing", () => Promise.reject(), undefined],
  ["returns an error", () => secret, secret],
  ["replies with an error", () => reply(200, secret), secret],
  ["returns a Map", () => new Map([["a", 1]]), expect.any(TypeError)],
  ["returns a form", () => new FormData(), expect.any(TypeError)],
  [
    "throws a value that is not an error",
    () => {
      throw "swordfish";
    },
    "swordfish",
  ],
  ["gives a function", () => () => {}, expect.any(TypeError)],
  ["returns a value that is not JSON", () => 1n, expect.any(TypeError)],
  ["gives a circle", () => circular, expect.any(TypeError)],
  ["gives a header that is none", () => reply(200, 1, { "x-a": "a\nb" }), expect.any(TypeError)],
  ["gives a status that is none", () => reply(99), expect.any(RangeError)],
  ["gives an id that no URL holds", () => created(".."), expect.any(TypeError)],
  [
    "gives a Response that was read",
    async () => {
      const response = new Response("a");
      await response.text();
      return response;
    },
    expect.any(TypeError),
  ],
  [
    "throws a problem that is not JSON",
    () => {
      throw new Problem(400, "x", { members: { big: 1n } });
    },
    expect.any(TypeError),
  ],
])(
  "an operation that %s is answered 500, and only onError gets the error",
  async (_name, find, error) => {
    const errors: unknown[] = [];
    const onError = (given: unknown, { url }: { readonly url?: string | undefined }): void =>
      void errors.push(given, url);
    const { port } = await serveSnips({ find }, { onError });
    const { status, headers, text } = await ask(port, "/snips/1");
    expect([status, headers["content-type"]]).toEqual([500, "application/problem+json"]);
    expect(JSON.parse(text)).toEqual({ title: "Internal Server Error", status: 500 });
    expect(errors).toEqual([error, "/snips/1"]);
  },
);

test("problems are not errors, and never show where they were created", async () => {
  const onError = vi.fn();
  const { port } = await serveSnips(
    {
      find: () => {
        throw new Problem(503, "Busy.", { cause: secret });
      },
      create: () => badRequest("No."),
    },
    { onError },
  );
  const found = await ask(port, "/snips/1");
  expect(JSON.parse(found.text)).toEqual({
    title: "Service Unavailable",
    status: 503,
    detail: "Busy.",
  });
  expect((await ask(port, "/snips", { method: "POST" })).text).not.toContain(".ts");
  expect(onError).not.toHaveBeenCalled();
});

test.each<readonly [string, () => unknown]>([
  [
    "throws",
    () => {
      throw secret;
    },
  ],
  ["rejects", () => Promise.reject(secret)],
])(
  "an onError that %s is reported on standard error, and the server goes on",
  async (_name, onError) => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      const { port } = await serveSnips({ find: () => Promise.reject("broken") }, { onError });
      expect((await ask(port, "/snips/1")).status).toBe(500);
      expect((await ask(port, "/snips/2")).status).toBe(500);
      expect(told).toHaveBeenCalledWith("onError failed:", secret);
    } finally {
      told.mockRestore();
    }
  },
);

test("without onError, errors go to standard error", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const { port } = await serveSnips({ find: () => Promise.reject(secret) });
    await ask(port, "/snips/1");
    expect(told).toHaveBeenCalledWith(secret);
  } finally {
    told.mockRestore();
  }
});

test("the signal is aborted when the caller disconnects, and its error is not reported", async () => {
  const onError = vi.fn();
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { port } = await serveSnips(
    {
      find: async ({ signal }) => {
        begun.resolve();
        await once(signal, "abort");
        queueMicrotask(ended.resolve);
        signal.throwIfAborted();
      },
    },
    { onError },
  );
  const connection = await rawRequest(port, "GET /snips/1 HTTP/1.1\r\nhost: x\r\n\r\n");
  await within(begun.promise, "the operation");
  connection.destroy();
  await within(ended.promise, "the abort");
  expect((await ask(port, "/nothing")).status).toBe(404);
  expect(onError).not.toHaveBeenCalled();
});

test("what an operation returns or throws after the caller disconnected does no harm", async () => {
  const onError = vi.fn();
  const results = [() => ({ a: 1 }), () => reply(200, "x"), () => Promise.reject(secret)];
  const { port } = await serveSnips(
    {
      find: async ({ id, signal }) => {
        await once(signal, "abort");
        const give = results[Number(id)];
        return give?.();
      },
    },
    { onError },
  );
  for (const id of results.keys()) {
    const connection = await rawRequest(port, `GET /snips/${id} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await ask(port, "/nothing");
    connection.reset();
  }
  await expect.poll(() => onError.mock.calls.length).toBe(1);
  expect((await ask(port, "/nothing")).status).toBe(404);
});

test("a signal first read after the caller disconnected is aborted", async () => {
  const aborted = Promise.withResolvers<boolean>();
  const { port } = await serveSnips({
    find: async (context) => {
      const { socket } = nodeExchange(context).request;
      await new Promise((resolve) => socket.once("close", () => setImmediate(resolve)));
      aborted.resolve(context.signal.aborted);
    },
  });
  const connection = await rawRequest(port, "GET /snips/1 HTTP/1.1\r\nhost: x\r\n\r\n");
  await ask(port, "/nothing");
  connection.destroy();
  expect(await within(aborted.promise, "the operation")).toBe(true);
});

test("the signal is not aborted by a complete answer", async () => {
  const signals: AbortSignal[] = [];
  const { port } = await serveSnips({ find: ({ signal }) => signals.push(signal) });
  await ask(port, "/snips/1", { headers: { connection: "close" } });
  await ask(port, "/snips/2");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
});
