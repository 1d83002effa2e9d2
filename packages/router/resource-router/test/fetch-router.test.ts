import { Hono } from "hono";
import { expect, test } from "vitest";
import { createResourceClient } from "../src/client.ts";
import {
  created,
  createFetchRouter,
  eventStream,
  type FetchRouterOptions,
  notFound,
  type Operations,
  Problem,
  reply,
  resource,
  webRequest,
} from "../src/fetch.ts";

import { createRouter } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serve } from "./serve.ts";

const origin = "http://any.example";

function fetchFrom(
  operations: Operations,
  options: FetchRouterOptions = {},
): (path: string, init?: RequestInit) => Promise<Response> {
  const { fetch } = createFetchRouter([resource("snips", operations)], options);
  return (path, init) => fetch(new Request(origin + path, init));
}

test("the client and the router work together without a socket", async () => {
  const snips = new Map<string, unknown>();
  const { fetch } = createFetchRouter([
    resource("snips", {
      index: ({ query }) => [...snips.keys(), query.get("q")],
      find: ({ id }) => snips.get(id),
      create: async ({ body }) => {
        snips.set("a/b", await body.json());
        return created("a/b", { ok: true });
      },
      delete: ({ id }) => void snips.delete(id),
    }),
  ]);
  const client = createResourceClient(`${origin}/snips`, {
    fetch: async (input, init) => fetch(new Request(input, init)),
  });
  expect(await client.create({ a: 1 })).toMatchObject({ id: "a/b", item: { ok: true } });
  expect(await client.find("a/b")).toEqual({ a: 1 });
  expect(await client.index({ query: { q: "1" } })).toEqual(["a/b", "1"]);
  await client.delete("a/b");
  await expect(client.find("a/b")).rejects.toMatchObject({ status: 404 });
});

test("requests outside the resources are refused, or left to other handlers", async () => {
  const router = createFetchRouter([resource("snips", { find: ({ id }) => id })]);
  const status = async (method: string, path: string): Promise<readonly unknown[]> => {
    const response = await router.fetch(new Request(origin + path, { method }));
    return [response.status, response.headers.get("allow")];
  };
  expect(await status("GET", "/nothing")).toEqual([404, null]);
  expect(await status("PUT", "/snips/1")).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect(await status("PATCH", "/snips/1")).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect(await status("OPTIONS", "/snips/1")).toEqual([204, "GET, HEAD, OPTIONS"]);
  expect(await status("GET", "/snips/%zz")).toEqual([400, null]);
  expect(router.handle(new Request(`${origin}/nothing`))).toBeNull();
  expect(router.handle(new Request(`${origin}/snips/1`, { method: "PATCH" }))).toBeNull();
});

test("works under Hono, next to its own routes", async () => {
  const router = createFetchRouter([resource("snips", { create: () => created("7") })]);
  const app = new Hono();
  app.get("/own", (context) => context.text("own"));
  app.all("*", (context) => router.fetch(context.req.raw));
  expect(await (await app.request("/own")).text()).toBe("own");
  const made = await app.request("/snips", { method: "POST" });
  expect([made.status, made.headers.get("location")]).toEqual([201, "/snips/7"]);
});

test("bodies are read within their limits", async () => {
  const fetch = fetchFrom(
    { create: ({ body }) => body.json(), update: async ({ body }) => body.text() },
    { maxBodyBytes: 10, bodyTimeoutMs: 20 },
  );
  const headers = { "content-type": "application/json" };
  const post = async (
    body: NonNullable<RequestInit["body"]> | null,
  ): Promise<readonly unknown[]> => {
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    const response = await fetch("/snips", init);
    const { detail } = (await response.json()) as { readonly detail?: string };
    return [response.status, detail];
  };
  const streamOf = (text: string): ReadableStream => new Blob([text]).stream();
  expect(await post('{"a":1}')).toEqual([200, undefined]);
  expect(await post(streamOf('{"a":12}'))).toEqual([200, undefined]);
  expect(await post("x".repeat(11))).toEqual([413, "The body is larger than 10 bytes."]);
  expect(await post(streamOf("x".repeat(11)))).toEqual([413, "The body is larger than 10 bytes."]);
  expect(await post(new ReadableStream())).toEqual([408, "The body did not arrive within 20 ms."]);
  expect(await post(null)).toEqual([400, "The body is missing. Send JSON."]);
  const gzip = { method: "PUT", headers: { "content-encoding": "gzip" }, body: "x" };
  expect((await fetch("/snips/1", gzip)).status).toBe(415);
});

test("results are sent as in the Node half", async () => {
  const textOf = async (result: unknown): Promise<readonly unknown[]> => {
    const response = await fetchFrom({ find: () => result })("/snips/1");
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  async function* generate(): AsyncGenerator<string | Uint8Array> {
    yield "a";
    yield new Uint8Array([98]);
  }
  expect(await textOf({ a: "é" })).toEqual([200, "application/json", '{"a":"é"}']);
  expect(await textOf(new Uint8Array([97]))).toEqual([200, "application/octet-stream", "a"]);
  expect(await textOf(generate())).toEqual([200, "application/octet-stream", "ab"]);
  expect(await textOf(new Blob(["a"], { type: "text/x" }))).toEqual([200, "text/x", "a"]);
  expect(await textOf(Response.json(1, { status: 203 }))).toEqual([203, "application/json", "1"]);
  expect(await textOf(reply(204))).toEqual([204, null, ""]);
  const cookies = await fetchFrom({ index: () => reply(200, 1, { "set-cookie": ["a", "b"] }) })(
    "/snips",
  );
  expect(cookies.headers.getSetCookie()).toEqual(["a", "b"]);
  const head = await fetchFrom({ index: () => ({ a: "é" }) })("/snips", { method: "HEAD" });
  expect([head.headers.get("content-length"), await head.text()]).toEqual(["10", ""]);
});

test("errors are answered 500, and only onError gets them", async () => {
  const errors: unknown[] = [];
  const options = { onError: (error: unknown) => errors.push(error) };
  const throwing = (error: unknown) => (): never => {
    throw error;
  };
  async function* broken(): AsyncGenerator<string> {
    yield* [];
    throw new Error("first");
  }
  const operations: readonly Operations[] = [
    { index: throwing(null) },
    { index: () => Promise.reject(new Error("later")) },
    { index: () => 1n },
    { index: () => broken() },
    { index: throwing(new Problem(400, "x", { members: { big: 1n } })) },
  ];
  for (const given of operations) {
    const response = await fetchFrom(given, options)("/snips");
    expect(await response.json()).toEqual({ title: "Internal Server Error", status: 500 });
    expect((await fetchFrom({ index: throwing(notFound()) }, options)("/snips")).status).toBe(404);
  }
  expect(errors).toMatchObject([null, { message: "later" }, {}, { message: "first" }, {}]);
});

test("a stream that fails later fails the body, and an unwanted one is closed", async () => {
  const errors: unknown[] = [];
  const options = { onError: (error: unknown) => errors.push(error) };
  async function* broken(): AsyncGenerator<string> {
    yield "begun";
    throw new Error("broken");
  }
  const response = await fetchFrom({ index: () => broken() }, options)("/snips");
  await expect(response.text()).rejects.toThrow("broken");
  expect(errors).toMatchObject([{ message: "broken" }]);
  const closed = Promise.withResolvers<void>();
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(9)),
    cancel: () => closed.resolve(),
  });
  const sent = await fetchFrom({ index: () => endless }, options)("/snips");
  await sent.body?.cancel();
  await closed.promise;
});

test("server-sent events send the head before the first event", async () => {
  const silent = new ReadableStream<string>();
  const response = await fetchFrom({ index: () => eventStream(silent, { keepAliveMs: 10 }) })(
    "/snips",
  );
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(":\n\n");
  await reader?.cancel();
});

test("entity tags are the same as in the Node half", async () => {
  const fetch = fetchFrom({ find: () => "x", update: () => "y" }, { etags: true });
  const tag = (await fetch("/snips/1")).headers.get("etag") ?? "";
  expect((await fetch("/snips/1", { headers: { "if-none-match": tag } })).status).toBe(304);
  const stale = { method: "PUT", headers: { "if-match": '"other"' } };
  expect((await fetch("/snips/1", stale)).status).toBe(412);
  const onNode = await serve(
    createRouter([resource("snips", { find: () => "x" })], { etags: true }).middleware,
  );
  expect((await ask(onNode.port, "/snips/1")).headers.etag).toBe(tag);
});

test("an operation can get the web request", async () => {
  const request = new Request(`${origin}/snips`);
  const { fetch } = createFetchRouter([
    resource("snips", { index: (context) => webRequest(context) === request }),
  ]);
  expect(await (await fetch(request)).json()).toBe(true);
});
