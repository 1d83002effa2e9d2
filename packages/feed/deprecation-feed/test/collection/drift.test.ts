import type { RequestListener } from "node:http";
import { type CollectOptions, collect, type FeedState } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { deprecationPage, type PageSite, startPageSite, testProvider } from "../page-site.ts";

const ids = ["m-1", "m-2", "m-3", "m-4", "m-5"];
const goodPage = deprecationPage(...ids.map((model_id) => ({ model_id })));
const limits = { timeoutMs: 1_500, attempts: 2, retryDelayMs: 1, maxBytes: 10_000 };

const redirectTo =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();

/** A good run, then one in which Acme's page is different; meanwhile Bolt's page gets a new model. */
async function drift(
  site: PageSite,
  page: string | RequestListener,
  options: CollectOptions = {},
): Promise<{ before: FeedState; after: FeedState }> {
  const providers = [testProvider(site, "acme"), testProvider(site, "bolt")];
  site.pages.set("/acme", goodPage).set("/bolt", deprecationPage({ model_id: "b-1" }));
  const before = await collect(providers, emptyState, { limits, now: new Date(0) });
  site.pages.set("/acme", page);
  site.pages.set("/bolt", deprecationPage({ model_id: "b-1" }, { model_id: "b-2" }));
  return { before, after: await collect(providers, before, { limits, ...options }) };
}

const ofAcme = ({ catalogue }: FeedState) =>
  catalogue.notices.filter(({ slug }) => slug === "acme");

const drifted: [what: string, page: string | RequestListener, reason: RegExp][] = [
  ["an empty page", "", /no notices/],
  [
    "half a page",
    deprecationPage({ model_id: "m-1" }, { model_id: "m-2" }),
    /of 5 models 3 are missing: it may be another page/,
  ],
  ["a login page", "<html><form>Log in to go on</form></html>", /no notices/],
  ["a changed heading", goodPage.replace("Deprecations", "Lifecycle"), /no notices/],
  [
    "prose where ids were",
    deprecationPage(...ids.map(() => ({ model_id: "Please see our migration guide for more" }))),
    /prose where model ids were: "Please see/,
  ],
  [
    "a redirect to a host that is not the provider's",
    redirectTo("http://elsewhere.example/"),
    /redirects to http:\/\/elsewhere\.example/,
  ],
  ["a redirect for ever", redirectTo("/acme"), /redirects more than 5 times/],
  ["errors", (_request, response) => void response.writeHead(500).end(), /status 500/],
  ["a page that is gone", (_request, response) => void response.writeHead(404).end(), /status 404/],
  ["a server that never answers", () => {}, /no complete answer within 1500 ms/],
  ["an answer that stops", (_request, response) => void response.write("# Depr"), /within 1500 ms/],
  [
    "an answer that breaks off",
    (_request, response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write(goodPage, () => response.destroy());
    },
    /could not be read/,
  ],
  ["a page without end", "x".repeat(10_001), /larger than 10000 bytes/],
];

test.each(drifted)(
  "%s keeps the last good rows, and the other providers are updated",
  async (...row) => {
    const [, page, reason] = row;
    await using site = await startPageSite();
    const { before, after } = await drift(site, page);
    expect(ofAcme(after)).toEqual(ofAcme(before));
    expect(ofAcme(after)).toHaveLength(ids.length);
    expect(after.catalogue.changes).toEqual([]);
    expect(after.statuses).toMatchObject([
      {
        slug: "acme",
        state: "stale",
        reason: expect.stringMatching(reason),
        last_good: before.checked_at,
        last_checked: after.checked_at,
        models: ids.length,
      },
      { slug: "bolt", state: "fresh", reason: "", last_good: after.checked_at, models: 2 },
    ]);
  },
);

test("an extractor that throws makes only its own provider stale", async () => {
  await using site = await startPageSite({ "/acme": goodPage, "/bolt": goodPage });
  const broken = {
    ...testProvider(site),
    extract: () => {
      throw new Error("no such column");
    },
  };
  const { statuses } = await collect([broken, testProvider(site, "bolt")], emptyState);
  expect(statuses).toMatchObject([
    { state: "stale", reason: "its extractor failed: no such column", last_good: "" },
    { state: "fresh" },
  ]);
});

test("a redirect within the provider's hosts is followed", async () => {
  await using other = await startPageSite({ "/moved": goodPage });
  await using site = await startPageSite({ "/acme": redirectTo(`${other.url}/moved`) });
  const allowed = { ...testProvider(site), allowed_hosts: [`127.0.0.1:${other.port}`] };
  const { statuses } = await collect([allowed], emptyState, { limits });
  expect(statuses).toMatchObject([{ state: "fresh", models: ids.length }]);
});

test("a page that has recovered is fresh again", async () => {
  await using site = await startPageSite();
  const { after } = await drift(site, "");
  site.pages.set("/acme", goodPage);
  const next = await collect([testProvider(site)], after, { limits });
  expect(next.statuses).toMatchObject([{ state: "fresh", reason: "" }]);
});

test("far fewer models are published if the operator accepts them", async () => {
  await using site = await startPageSite();
  const page = deprecationPage({ model_id: "m-1" });
  const { after } = await drift(site, page, { accept: ["acme"] });
  expect(after.statuses[0]).toMatchObject({ state: "fresh", models: 1 });
  expect(ofAcme(after).filter(({ last_observed }) => last_observed !== "")).toHaveLength(4);
});

test("an aborted run rejects, and is not mistaken for drift", async () => {
  await using site = await startPageSite({ "/acme": () => {} });
  const ending = new AbortController();
  const running = collect([testProvider(site)], emptyState, { signal: ending.signal });
  ending.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
});
