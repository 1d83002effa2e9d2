import { createServer } from "node:http";
import { buildFeed, feedListener, type Provider, PublishedSite } from "@proj/deprecation-feed";
import { listen, temporaryFolder } from "@proj/test-kit";
import Parser from "rss-parser";
import { expect, test } from "vitest";
import { deprecationPage, startPageSite, testProvider } from "../page-site.ts";

const base_url = "https://feeds.example/";

/** A feed of two providers, and its server. */
async function startFeed() {
  const site = await startPageSite({
    "/acme": deprecationPage(
      { model_id: "m-1", shutdown_date: "2027-01-01", aliases: ["m-latest"] },
      { model_id: "m-2", shutdown_date: "2027-02-01" },
    ),
    "/bolt": deprecationPage({ model_id: "m-1", shutdown_date: "2027-03-01" }),
  });
  const folder = await temporaryFolder();
  const providers = [testProvider(site, "acme"), testProvider(site, "bolt")];
  const build = () => buildFeed({ providers, output: folder.path, base_url });
  await build();
  const server = await serve(folder.path, providers);
  return {
    site,
    build,
    get: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), site.close()]);
      await folder.remove();
    },
  };
}

const serve = (output: string, providers: readonly Provider[]) =>
  listen(createServer(feedListener({ site: new PublishedSite(output), providers, base_url })));

test.each([
  ["/", "text/html"],
  ["/page/style.css", "text/css"],
  ["/page/main.js", "text/javascript"],
  ["/v1/feed.json", "application/feed+json"],
  ["/v1/feed.xml", "application/rss+xml"],
  ["/v1/providers/acme/feed.json", "application/feed+json"],
  ["/v1/providers.json", "application/json"],
  ["/v1/status.json", "application/json"],
  ["/v1/deprecations.json", "application/json"],
  ["/v1/calendar.ics", "text/calendar"],
])("%s is served as %s, to any origin, and revalidated with 304", async (path, type) => {
  await using feed = await startFeed();
  const first = await feed.get(path);
  expect(first.status).toBe(200);
  expect(first.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
  expect(first.headers.get("access-control-allow-origin")).toBe("*");
  expect((await first.text()).length).toBeGreaterThan(10);
  const etag = first.headers.get("etag") ?? "";
  for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
    const again = await feed.get(path, { headers: { "if-none-match": known } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(again.headers.get("etag")).toBe(etag);
  }
});

test("HEAD is GET without the body", async () => {
  await using feed = await startFeed();
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) =>
      feed.get("/v1/feed.json", { method, headers: { "accept-encoding": "identity" } }),
    ),
  );
  expect(await head?.text()).toBe("");
  expect(head?.headers.get("etag")).toBe(get?.headers.get("etag"));
  expect(head?.headers.get("content-length")).toBe(String((await get?.bytes())?.length));
});

test("files are compressed for readers that accept it", async () => {
  await using feed = await startFeed();
  const packed = await feed.get("/v1/feed.json", {
    headers: { "accept-encoding": "br;q=0, gzip" },
  });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(await ids(packed)).toHaveLength(3);
  const plain = await feed.get("/v1/feed.json", { headers: { "accept-encoding": "gzip;q=0" } });
  expect(plain.headers.has("content-encoding")).toBe(false);
});

const ids = async (answer: Response): Promise<string[]> =>
  JSON.parse(await answer.text())
    .items.map(({ id }: { id: string }) => id.replace("urn:model-deprecation:", ""))
    .sort();

test.each([
  ["?provider=acme", ["acme:m-1", "acme:m-2"]],
  ["?provider=acme&provider=bolt", ["acme:m-1", "acme:m-2", "bolt:m-1"]],
  ["?model=m-1", ["acme:m-1", "bolt:m-1"]],
  ["?model=m-latest", ["acme:m-1"]],
  ["?model=m-2&model=m-1&provider=bolt", ["bolt:m-1"]],
  ["?model=not-yet-deprecated", []],
  ["?utm_source=reader", ["acme:m-1", "acme:m-2", "bolt:m-1"]],
])("feed.json%s has the items %j", async (query, expected) => {
  await using feed = await startFeed();
  expect(await ids(await feed.get(`/v1/feed.json${query}`))).toEqual(expected);
});

test("a filter applies to every format, whose URL contains it", async () => {
  await using feed = await startFeed();
  const query = "?provider=bolt";
  const json = JSON.parse(await (await feed.get(`/v1/feed.json${query}`)).text());
  expect(json.feed_url).toBe("https://feeds.example/v1/feed.json?provider=bolt");
  const rss = await new Parser().parseString(await (await feed.get(`/v1/feed.xml${query}`)).text());
  expect(rss.items.map(({ title }) => title)).toEqual(["Bolt: m-1"]);
  const calendar = await (await feed.get(`/v1/calendar.ics${query}`)).text();
  expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(1);
  const flat = JSON.parse(await (await feed.get(`/v1/deprecations.json${query}`)).text());
  expect(flat.notices).toMatchObject([{ slug: "bolt", model_id: "m-1" }]);
  const { headers } = await feed.get(`/v1/feed.json${query}`);
  const again = { headers: { "if-none-match": headers.get("etag") ?? "" } };
  expect((await feed.get(`/v1/feed.json${query}`, again)).status).toBe(304);
});

test.each([
  ["/v1/feed.json?provider=nobody", "GET", 400, /no provider 'nobody'.*acme, bolt/],
  ["/v1/nothing.json", "GET", 404, /nothing at \/v1\/nothing\.json/],
  ["/v1/../../etc/hostname", "GET", 404, /There is nothing at/],
  ["/%2e%2e/%2e%2e/etc/hostname", "GET", 404, /There is nothing at/],
  ["/v1/feed.json", "POST", 405, /with GET, not POST/],
])("%s with %s %s is refused with %i and says why", async (path, method, status, detail) => {
  await using feed = await startFeed();
  const answer = await feed.get(path, { method });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await answer.json()).toMatchObject({ status, detail: expect.stringMatching(detail) });
  if (status === 405) expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

test("browsers of other origins may send conditional requests", async () => {
  await using feed = await startFeed();
  const answer = await feed.get("/v1/feed.json", { method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-headers")).toBe(
    "if-none-match, if-modified-since",
  );
});

test("files that a later run publishes are served at once", async () => {
  await using feed = await startFeed();
  expect(await ids(await feed.get("/v1/feed.json"))).toHaveLength(3);
  feed.site.pages.set(
    "/bolt",
    deprecationPage({ model_id: "m-1", shutdown_date: "2027-03-01" }, { model_id: "m-3" }),
  );
  await feed.build();
  expect(await ids(await feed.get("/v1/feed.json?provider=bolt&model=m-3"))).toEqual(["bolt:m-3"]);
});

test("before the first run the answer says when to retry", async () => {
  await using folder = await temporaryFolder();
  await using server = await serve(folder.path, []);
  const answer = await fetch(`${server.url}/v1/feed.json`);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
});

test("a reader with only a date gets 304 if nothing has changed", async () => {
  await using feed = await startFeed();
  const first = await feed.get("/v1/feed.json");
  const since = first.headers.get("last-modified") ?? "";
  expect(new Date(since).toUTCString()).toBe(since);
  const ask = (headers: Record<string, string>) => feed.get("/v1/feed.json", { headers });
  expect((await ask({ "if-modified-since": since })).status).toBe(304);
  const earlier = new Date(Date.parse(since) - 1000).toUTCString();
  expect((await ask({ "if-modified-since": earlier })).status).toBe(200);
  const both = { "if-modified-since": since, "if-none-match": '"another"' };
  expect((await ask(both)).status).toBe(200);
});

test("filtered feeds are compressed, and a provider's label works too", async () => {
  await using feed = await startFeed();
  const answer = await feed.get("/v1/feed.json?provider=Acme", {
    headers: { "accept-encoding": "gzip" },
  });
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(await ids(answer)).toEqual(["acme:m-1", "acme:m-2"]);
  expect(await ids(await feed.get("/v1/feed.json?model=models/m-2:generateContent"))).toEqual([
    "acme:m-2",
  ]);
});

test("every provider has its models as Markdown, linked from an index for language models", async () => {
  await using feed = await startFeed();
  const index = await feed.get("/llms.txt");
  expect(index.headers.get("content-type")).toContain("text/plain");
  expect(await index.text()).toContain(`[Acme](${base_url}v1/providers/acme/models.md): 2 models`);
  const page = await feed.get("/v1/providers/acme/models.md");
  expect(page.headers.get("content-type")).toContain("text/markdown");
  expect(await page.text()).toContain("| `m-1` | deprecated | 2027-01-01 |");
});

test("a model has a badge with its status", async () => {
  await using feed = await startFeed();
  const answer = await feed.get("/v1/badge.svg?model=m-2");
  expect(answer.headers.get("content-type")).toBe("image/svg+xml");
  expect(await answer.text()).toContain("m-2: deprecated 2027-02-01");
  expect(await (await feed.get("/v1/badge.svg?model=%3Cscript%3E")).text()).not.toContain(
    "<script",
  );
  expect((await feed.get("/v1/badge.svg")).status).toBe(400);
});
