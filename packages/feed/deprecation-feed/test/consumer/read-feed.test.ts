import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildFeed } from "@proj/deprecation-feed";
import { checkModels, FeedError, readFeed } from "@proj/deprecation-feed/consumer";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { deprecationPage, startPageSite, testProvider } from "../page-site.ts";

test("a feed of another program is read with defaults for what it omits", async () => {
  const body = JSON.stringify({
    items: [
      { title: "a" },
      { _deprecation: null, title: 1, tags: "x" },
      { _deprecation: { model_id: "m-1", shutdown_date: "2027-01-01T00:00:00Z", regions: [1] } },
      { _deprecation: { provider: "Acme", model_id: "m-2", shutdown_date: "soon" } },
      "no item",
    ],
  });
  await using site = await startPageSite({ "/feed": body });
  const { items, title } = await readFeed(`${site.url}/feed`);
  expect(title).toBe("");
  expect(items).toHaveLength(4);
  expect(items[0]).toEqual({
    id: "",
    url: "",
    title: "a",
    content_text: "",
    date_published: "",
    date_modified: "",
    tags: [],
    _deprecation: {
      provider: "",
      model_id: "",
      status: "",
      shutdown_date: "",
      earliest_shutdown_date: "",
      shutdown_text: "",
      deprecation_date: "",
      announcement_date: "",
      replacement_models: [],
      aliases: [],
      regions: [],
      first_observed: "",
      last_observed: "",
    },
    _deprecation_change: null,
  });
  expect(items.slice(1)).toMatchObject([
    { title: "", tags: [] },
    { _deprecation: { model_id: "m-1", shutdown_date: "2027-01-01", regions: [] } },
    { _deprecation: { model_id: "m-2", shutdown_date: "" } },
  ]);
});

test("a consumer can replace the defaults", async () => {
  await using site = await startPageSite({
    "/feed": '{"items":[{"_deprecation":{"model_id":"m-1"}}]}',
  });
  const { items } = await readFeed(`${site.url}/feed`, { defaults: { provider: "somebody" } });
  expect(items[0]?._deprecation).toMatchObject({ provider: "somebody", model_id: "m-1" });
});

test("an unchanged feed is requested conditionally, and the known one returned", async () => {
  await using site = await startPageSite({
    "/feed": (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"' });
      response.end(isKnown ? undefined : '{"items":[]}');
    },
  });
  const previous = await readFeed(`${site.url}/feed`);
  expect(await readFeed(`${site.url}/feed`, { previous })).toBe(previous);
  expect(await readFeed(`${site.url}/feed?other`, { previous }).catch(() => "asked again")).toBe(
    "asked again",
  );
});

test("a feed published by buildFeed is read from its folder, a file and its URL", async () => {
  const page = deprecationPage({ model_id: "m-1", shutdown_date: "2027-01-01", aliases: ["m-x"] });
  await using site = await startPageSite({ "/acme": page });
  await using folder = await temporaryFolder();
  await buildFeed({ providers: [testProvider(site)], output: folder.path, base_url: site.url });
  const file = join(folder.path, "v1/feed.json");
  site.pages.set("/v1/feed.json", await readFile(file, "utf8"));
  for (const place of [folder.path, file, pathToFileURL(file).href, `${site.url}/`]) {
    const feed = await readFeed(place);
    expect(checkModels(["m-x"], feed, { today: "2026-12-31" })).toMatchObject([
      { verdict: "ending", notices: [{ model_id: "m-1", days_left: 1, provider: "Acme" }] },
    ]);
  }
});

test.each([
  ["no JSON", "<html>", /is not a JSON Feed: it is not JSON/],
  ["no feed", "[]", /has no list of items/],
  ["too large", `{"items":[],"x":"${"x".repeat(100)}"}`, /larger than 100 bytes/],
])("a feed that is %s is an error that says so", async (_what, text, message) => {
  await using site = await startPageSite({ "/feed": text });
  await using folder = await temporaryFolder();
  const file = join(folder.path, "feed.json");
  await writeFile(file, text);
  for (const place of [`${site.url}/feed`, file]) {
    const reading = readFeed(place, { maxBytes: 100 });
    await expect(reading).rejects.toThrow(FeedError);
    await expect(reading).rejects.toThrow(message);
  }
});

test("a missing feed is an error that names it", async () => {
  await using site = await startPageSite();
  await expect(readFeed(`${site.url}/feed`)).rejects.toThrow(
    `${site.url}/feed answered with status 404`,
  );
  await expect(readFeed("/no/such/feed.json")).rejects.toThrow("/no/such/feed.json");
});

test("the consumer's entry loads neither a page parser nor a server", async () => {
  const modules = new Set<string>();
  const files = new Set([new URL("../../src/consumer.ts", import.meta.url).href]);
  for (const file of files) {
    const source = await readFile(new URL(file), "utf8");
    for (const [, name = ""] of source.matchAll(/ from "([^"]+)"/g)) {
      if (name.startsWith(".")) files.add(new URL(name, file).href);
      else modules.add(name);
    }
  }
  expect(files.size).toBeGreaterThan(5);
  expect([...modules]).toEqual(["#feed-file"]);
});

test("in a feed with last sightings for every model, only those not seen recently are withdrawn", async () => {
  const item = (model_id: string, last_observed: string, shutdown_date: unknown) => ({
    _deprecation: { provider: "OpenAI", model_id, last_observed, shutdown_date },
  });
  const items = [
    item("on-the-page", "2026-07-21", "December 31, 2026"),
    item("as-well", "2026-07-21", "end of 2026"),
    item("gone", "2026-07-01", 5),
  ];
  await using site = await startPageSite({ "/feed": JSON.stringify({ items }) });
  const defaults = { shutdown_date: "2030-01-01" };
  const feed = await readFeed(`${site.url}/feed`, { defaults });
  expect(feed.items.map(({ _deprecation }) => _deprecation)).toMatchObject([
    { last_observed: "", shutdown_date: "2026-12-31", shutdown_text: "" },
    { last_observed: "", shutdown_date: "2030-01-01", shutdown_text: "end of 2026" },
    { last_observed: "2026-07-01", shutdown_date: "2030-01-01", shutdown_text: "" },
  ]);
});
