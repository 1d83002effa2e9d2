import { createServer } from "node:http";
import { listen } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { createResourceClient, RequestFailedError } from "../src/client.ts";
import { badRequest, created, noContent, Problem, reply, updated } from "../src/index.ts";
import { serve, serveSnips } from "./serve.ts";

async function failure(call: Promise<unknown>): Promise<RequestFailedError> {
  const error = await call.then(
    () => expect.unreachable("the call succeeded"),
    (error: unknown) => error,
  );
  if (!(error instanceof RequestFailedError)) throw error;
  return error;
}

test("the five calls run the five operations", async () => {
  const snips = new Map<string, unknown>();
  const { url } = await serveSnips({
    index: ({ query }) =>
      [...snips.keys()].filter((id) => id.startsWith(query.get("prefix") ?? "")),
    find: ({ id }) => snips.get(id),
    create: async ({ body }) => {
      const id = `a/b ${snips.size}`;
      snips.set(id, await body.json());
      return created(id, snips.get(id));
    },
    update: async ({ id, body }) => {
      snips.set(id, await body.json());
      return id === "x" ? noContent() : updated(snips.get(id));
    },
    delete: ({ id }) => {
      snips.delete(id);
    },
  });
  for (const base of [`${url}/snips`, `${url}/snips/`, new URL("/snips?ignored=1#x", url)]) {
    snips.clear();
    const client = createResourceClient(base);
    const location = `${url}/snips/a%2Fb%200`;
    expect(await client.create({ n: 1 })).toEqual({ id: "a/b 0", location, item: { n: 1 } });
    expect(await client.find("a/b 0")).toEqual({ n: 1 });
    expect(await client.update("a/b 0", { n: 2 })).toEqual({ n: 2 });
    expect(await client.update("x", null)).toBeUndefined();
    expect(await client.index()).toEqual(["a/b 0", "x"]);
    expect(await client.index({ query: { prefix: "x" } })).toEqual(["x"]);
    expect(await client.delete("x")).toBeUndefined();
    expect([...snips]).toEqual([["a/b 0", { n: 2 }]]);
  }
});

test("an error carries the problem document", async () => {
  const { url } = await serveSnips({
    find: () =>
      new Problem(409, "Taken.", {
        members: { type: "https://example.com/taken", by: "ann" },
        headers: { "retry-after": "3" },
      }),
  });
  const client = createResourceClient(`${url}/snips`);
  const error = await failure(client.find("7"));
  expect(error.message).toBe(`GET ${url}/snips/7 was answered 409, Taken.`);
  expect(error.status).toBe(409);
  expect(error.problem).toEqual({
    type: "https://example.com/taken",
    title: "Conflict",
    status: 409,
    detail: "Taken.",
    by: "ann",
  });
  expect(error.answer.headers.get("retry-after")).toBe("3");
  expect((await failure(client.delete("7"))).status).toBe(405);
});

test("an error without a problem document has the status and body instead", async () => {
  const { url } = await serve((request, response) => {
    const isJson = request.url?.includes("bad") === true;
    response.writeHead(502, { "content-type": isJson ? "application/problem+json" : "text/html" });
    response.end(isJson ? "{" : "<h1>Bad gateway</h1>");
  });
  const client = createResourceClient(`${url}/snips`);
  for (const [id, body] of [
    ["1", "<h1>Bad gateway</h1>"],
    ["bad", "{"],
  ] as const)
    expect(await failure(client.find(id))).toMatchObject({
      status: 502,
      problem: null,
      answer: { body },
    });
});

test("members of a problem with the wrong type are left out", async () => {
  const { url } = await serveSnips({
    find: () =>
      new Problem(400, "x", {
        members: { detail: "y", title: "Odd", instance: "/1" },
        headers: {},
      }),
    index: () =>
      reply(
        400,
        { detail: 7, status: "bad", more: 7 },
        { "content-type": "application/problem+json" },
      ),
  });
  const client = createResourceClient(`${url}/snips`);
  expect((await failure(client.index())).problem).toEqual({ more: 7 });
  expect((await failure(client.find("1"))).problem).toMatchObject({ detail: "y", instance: "/1" });
});

test("readers determine the types, and their errors reach the caller", async () => {
  const { url } = await serveSnips({
    find: ({ id }) => ({ at: id }),
    index: () => 7,
    update: () => ({ at: "2020-01-01" }),
  });
  const readItem = (value: unknown): Date => {
    const at = new Date(
      typeof value === "object" && value !== null && "at" in value ? String(value.at) : "",
    );
    if (Number.isNaN(at.getTime())) throw new Error("no date");
    return at;
  };
  const client = createResourceClient(`${url}/snips`, {
    readItem,
    readIndex: (value) => String(value),
  });
  expect(await client.find("2020-01-01")).toEqual(new Date("2020-01-01"));
  expect(await client.update("1", {})).toEqual(new Date("2020-01-01"));
  expect(await client.index()).toBe("7");
  await expect(client.find("never")).rejects.toThrow("no date");
});

test("an id that no URL can contain is refused before anything is sent", async () => {
  const { url } = await serve(() => expect.unreachable("a request came"));
  const client = createResourceClient(`${url}/snips`);
  for (const id of ["", ".", "..", "\ud800"]) {
    await expect(client.find(id)).rejects.toThrow(TypeError);
    await expect(client.update(id, 1)).rejects.toThrow(JSON.stringify(id));
    await expect(client.delete(id)).rejects.toThrow(TypeError);
  }
});

test("a created item without a Location is an error that carries the answer", async () => {
  const locations = [undefined, "/", "http://[", "/snips/%zz"];
  const { url } = await serveSnips({
    create: () => {
      const location = locations.shift();
      return reply(201, { n: 1 }, location === undefined ? {} : { location });
    },
  });
  const client = createResourceClient(`${url}/snips`);
  while (locations.length > 0) {
    const { message, answer } = await failure(client.create({}));
    expect(message).toContain("Location");
    expect(answer).toMatchObject({ status: 201, body: '{"n":1}' });
  }
});

test("an answer that is not JSON is an error that names its type, or says that it has none", async () => {
  const types = ["text/html", null];
  const { url } = await serve((_request, response) => {
    const type = types.shift() ?? null;
    if (type !== null) response.setHeader("content-type", type);
    response.end("<h1>Hello</h1>");
  });
  const client = createResourceClient(`${url}/snips`);
  expect((await failure(client.index())).message).toContain("not JSON but 'text/html'");
  expect((await failure(client.index())).message).toContain("not JSON but 'of no type'");
});

test("calls are ended by their signal and their time-out, even in the middle of a body", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/snips/body") response.write("[");
  });
  const client = createResourceClient(`${url}/snips`, { timeoutMs: 20 });
  for (const id of ["head", "body"]) {
    const { signal } = new AbortController();
    for (const options of [{}, { signal }])
      await expect(client.find(id, options)).rejects.toMatchObject({ name: "TimeoutError" });
    const aborting = new AbortController();
    const call = client.find(id, { signal: aborting.signal, timeoutMs: 60_000 });
    aborting.abort(new Error("no longer wanted"));
    await expect(call).rejects.toThrow("no longer wanted");
  }
});

test("headers of the client and of the call are sent; the call's take precedence", async () => {
  const { url } = await serveSnips({
    index: ({ headers }) => [headers.accept, headers["x-a"], headers["x-b"]],
  });
  const client = createResourceClient(`${url}/snips`, { headers: { "X-A": "1", "x-b": "1" } });
  expect(await client.index({ headers: { "X-B": "2" } })).toEqual(["application/json", "1", "2"]);
});

test("an unreachable server is fetch's own error, and fetch can be replaced", async () => {
  const listening = await listen(createServer());
  onTestFinished(() => listening.close());
  await listening.close();
  await expect(createResourceClient(`${listening.url}/snips`).index()).rejects.toThrow(TypeError);
  const fetch = async (): Promise<Response> => Response.json(["faked"]);
  expect(await createResourceClient("http://any.example/snips", { fetch }).index()).toEqual([
    "faked",
  ]);
});

test("a value that cannot be written as JSON is refused before anything is sent", async () => {
  const { url } = await serveSnips({ create: () => badRequest() });
  await expect(createResourceClient(`${url}/snips`).create(1n)).rejects.toThrow(TypeError);
});

test("an answer without a URL, as from a handler in this process, still has a Location", async () => {
  const fetch = async (): Promise<Response> =>
    new Response(null, { status: 201, headers: { location: "/snips/7" } });
  const client = createResourceClient("https://api.example/snips", { fetch });
  expect(await client.create({})).toMatchObject({
    id: "7",
    location: "https://api.example/snips/7",
  });
});
