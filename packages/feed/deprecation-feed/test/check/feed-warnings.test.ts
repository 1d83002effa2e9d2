import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { buildFeed, feedWarnings, readFeed } from "@proj/deprecation-feed";
import { listen, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { deprecationPage, startPageSite, testProvider } from "../page-site.ts";

const page = deprecationPage({ model_id: "m-1", shutdown_date: "2027-01-01" });

/** A feed for which Acme was read on the 1st but not on the 2nd, and Bolt never. */
async function staleFeed() {
  const site = await startPageSite({ "/acme": page });
  const folder = await temporaryFolder();
  const providers = [testProvider(site), testProvider(site, "bolt")];
  const build = (day: string) =>
    buildFeed({ providers, output: folder.path, base_url: "http://x/", now: new Date(day) });
  await build("2026-10-01");
  site.pages.delete("/acme");
  await build("2026-10-02");
  const dispose = async (): Promise<void> => {
    await Promise.all([site.close(), folder.remove()]);
  };
  return { path: folder.path, [Symbol.asyncDispose]: dispose };
}

const on = new Date("2026-10-03T12:00Z");
const messages = [
  expect.stringMatching(/^the page of Acme was last read on 2026-10-01: .*status 404/),
  expect.stringMatching(/^the page of Bolt has never been read: .*status 404/),
];

test("a provider that is stale or was never read is a warning, from a folder and over HTTP", async () => {
  await using stale = await staleFeed();
  const feed = await readFeed(stale.path);
  expect(feedWarnings(feed, [], on).map(({ message }) => message)).toEqual(messages);
  const server = await listen(
    createServer(
      (request, response) =>
        void readFile(join(stale.path, request.url ?? "")).then((body) => response.end(body)),
    ),
  );
  const served = await readFeed(`${server.url}/`);
  await server.close();
  expect(feedWarnings(served, [], on).map(({ message }) => message)).toEqual(messages);
});

test("only the requested providers count", async () => {
  await using stale = await staleFeed();
  const feed = await readFeed(stale.path);
  expect(feedWarnings(feed, ["bolt"], on)).toMatchObject([{ provider: "Bolt" }]);
});

test("a feed that was not updated for days is a warning", async () => {
  await using stale = await staleFeed();
  const feed = await readFeed(stale.path);
  expect(feedWarnings(feed, ["none"], new Date("2026-10-09"))).toEqual([
    { provider: "", message: "the feed was last updated 7 days ago" },
  ]);
});

test("a feed without a status gives no warning, unless it has no models", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "feed.json");
  await writeFile(file, JSON.stringify({ items: [{ _deprecation: { model_id: "m-1" } }] }));
  expect(feedWarnings(await readFeed(file))).toEqual([]);
  await writeFile(file, JSON.stringify({ items: [] }));
  expect(feedWarnings(await readFeed(file))).toEqual([
    { provider: "", message: "the feed lists no models at all" },
  ]);
});
