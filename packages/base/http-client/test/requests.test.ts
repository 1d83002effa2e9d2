import { createHttpClient } from "@proj/http-client";
import { startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { closedPort, json, serve } from "./serve.ts";

test("paths are appended to the base URL, and query fields to the path's own", async () => {
  await using server = await serve(json({}));
  using client = createHttpClient({ baseUrl: `${server.url}/api/v1/` });
  expect(client.baseUrl).toBe(`${server.url}/api/v1`);
  await client.request("GET", "/price?limit=2", {
    query: {
      ...{ address: ["a b", "c&d"], user: null, size: undefined, page: 0, exact: false },
      "ids[]": ["1", "2"],
    },
  });
  expect(server.received[0]?.path).toBe(
    "/api/v1/price?limit=2&address=a+b&address=c%26d&page=0&exact=false&ids%5B%5D=1&ids%5B%5D=2",
  );
});

test.each(["ftp://host", "host:80", "http://host/?a=1", "http://host/#a", ""])(
  "%j is not a base URL",
  (baseUrl) => {
    expect(() => createHttpClient({ baseUrl })).toThrow(TypeError);
  },
);

test("a path without a slash is refused, so that it never changes the host", async () => {
  using client = createHttpClient({ baseUrl: "http://127.0.0.1" });
  await expect(client.request("GET", ".example.org/")).rejects.toThrow(TypeError);
});

test("JSON and forms have their content type, a text the given one, and a request without a body has none", async () => {
  await using server = await serve(json(null));
  using client = createHttpClient({ baseUrl: server.url });
  await client.request("POST", "/", { json: { text: "ü" } });
  await client.request("POST", "/", { json: "12" });
  await client.request("POST", "/", { form: { pairs: ["EUR/USD", "USD/JPY"], amount: 1.5 } });
  await client.request("POST", "/");
  const headers = { "content-type": "application/x-ndjson" };
  await client.request("POST", "/", { text: "ü\n", headers });
  expect(server.received.map(({ headers, body }) => [headers["content-type"], body])).toEqual([
    ["application/json", '{"text":"ü"}'],
    ["application/json", '"12"'],
    ["application/x-www-form-urlencoded", "pairs=EUR%2FUSD&pairs=USD%2FJPY&amount=1.5"],
    [undefined, ""],
    ["application/x-ndjson", "ü\n"],
  ]);
  expect(server.received.at(-1)?.headers["content-length"]).toBe("3");
});

test("the client's headers are computed for each attempt, and a call's are added", async () => {
  await using server = await serve(json({}, 503), json({}));
  let session = 0;
  using client = createHttpClient({
    baseUrl: server.url,
    headers: async () => {
      session += 1;
      return { authorization: `Bearer ${session}`, "x-a": "client", "User-Agent": "bot/1" };
    },
    retry: { minDelayMs: 1 },
  });
  await client.request("GET", "/", { headers: { "x-a": "call" } });
  expect(server.received.map(({ headers }) => headers)).toMatchObject([
    { authorization: "Bearer 1", "x-a": "call", "user-agent": "bot/1" },
    { authorization: "Bearer 2", "x-a": "call" },
  ]);
});

test("answers have status, headers and JSON; text if requested; null if there is no body", async () => {
  await using server = await serve(
    json({ __proto__: null, n: 1 }, 201, { Location: "/snips/7" }),
    (res) => res.end("\uFEFF[1]"),
    (res) => res.writeHead(204).end(),
    (res) => res.writeHead(304, { etag: '"1"' }).end(),
    (res) => res.end("{} {}"),
  );
  using client = createHttpClient({ baseUrl: server.url });
  expect(await client.request("PUT", "/")).toMatchObject({
    status: 201,
    headers: { location: "/snips/7" },
    body: { n: 1 },
  });
  expect((await client.request("GET", "/")).body).toEqual([1]);
  expect(await client.request("DELETE", "/")).toMatchObject({ status: 204, body: null });
  expect(await client.request("GET", "/")).toMatchObject({ status: 304, headers: { etag: '"1"' } });
  expect((await client.request("GET", "/", { read: "text" })).body).toBe("{} {}");
});

test("credentials of the base URL are sent as a header", async () => {
  await using server = await serve(json({}));
  const baseUrl = server.url.replace("//", "//us%C3%A9r:p%40ss@");
  using client = createHttpClient({ baseUrl });
  await client.request("GET", "/");
  await client.request("GET", "/", { headers: { Authorization: "Bearer x" } });
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
    `Basic ${Buffer.from("usér:p@ss").toString("base64")}`,
    "Bearer x",
  ]);
});

test("connections are reused, and closed with the client", async () => {
  await using upstream = await startFaultyUpstream(async (_request, reply) => {
    await reply.json({});
  });
  const client = createHttpClient({ baseUrl: upstream.url });
  for (const path of ["/a", "/b", "/c", "/d", "/e"]) await client.request("GET", path);
  // After an answer, undici does not reuse the connection until the next turn of the event loop.
  expect(upstream.connections).toBeLessThanOrEqual(2);
  client.close();
  await waitFor(() => upstream.openConnections === 0, "the connection to close");
});

test("close aborts pending and later calls, and says why", async () => {
  await using server = await serve(() => {});
  const client = createHttpClient({ baseUrl: server.url });
  const pending = client.request("GET", "/");
  const outcome = expect(pending).rejects.toThrow(/client of 127.0.0.1:\d+ is closed/);
  await waitFor(() => server.received.length === 1, "the request");
  client.close();
  await outcome;
  await expect(client.request("GET", "/")).rejects.toThrow("is closed");
});

test("a proxy from the environment is used, but never for this machine", async () => {
  await using proxy = await serve(json("by proxy"));
  await using server = await serve(json("direct"));
  vi.stubEnv("HTTP_PROXY", proxy.url).stubEnv("http_proxy", proxy.url);
  try {
    using near = createHttpClient({ baseUrl: server.url });
    using named = createHttpClient({ baseUrl: server.url.replace("127.0.0.1", "localhost") });
    using far = createHttpClient({ baseUrl: "http://service.invalid" });
    expect((await near.request("GET", "/")).body).toBe("direct");
    expect((await named.request("GET", "/")).body).toBe("direct");
    expect((await far.request("GET", "/a")).body).toBe("by proxy");
    expect(proxy.received[0]?.path).toBe("http://service.invalid/a");
  } finally {
    vi.unstubAllEnvs();
  }
});

test("many calls on one signal leak no listeners and cause no warnings", async () => {
  await using server = await serve(json({}));
  using client = createHttpClient({ baseUrl: server.url });
  const warnings: Error[] = [];
  const collect = (warning: Error): number => warnings.push(warning);
  process.on("warning", collect);
  const { signal } = new AbortController();
  const calls = Array.from({ length: 40 }, () => client.request("GET", "/", { signal }));
  await Promise.all(calls);
  await new Promise(setImmediate);
  process.off("warning", collect);
  expect(warnings).toEqual([]);
});

test("without a listener, the error says so", async () => {
  using client = createHttpClient({ baseUrl: await closedPort(), retry: false });
  await expect(client.request("GET", "/x")).rejects.toThrow(
    /^GET http:\/\/127.0.0.1:\d+\/x cannot connect \(ECONNREFUSED\)$/,
  );
});
