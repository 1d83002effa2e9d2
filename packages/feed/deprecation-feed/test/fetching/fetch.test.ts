import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { collect } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { fetchText } from "../../src/fetching/fetch-text.ts";
import { fetchWithRetries } from "../../src/fetching/fetch-with-retries.ts";
import { deprecationPage, startPageSite, testProvider } from "../page-site.ts";

/** Answers with these statuses in turn, then with a text. */
function after(...statuses: number[]): RequestListener {
  return (_request, response) => {
    const status = statuses.shift();
    response.writeHead(status ?? 200, { "retry-after": "0" }).end("text");
  };
}

test.each([408, 425, 429, 500, 502, 503, 599])("status %i is retried", async (status) => {
  await using site = await startPageSite({ "/": after(status, status) });
  const answer = await fetchWithRetries(`${site.url}/`, { retryDelayMs: 1 });
  expect(answer?.text).toBe("text");
  expect(site.requests).toHaveLength(3);
});

test.each([400, 401, 403, 404, 410])("status %i is not retried", async (status) => {
  await using site = await startPageSite({ "/": after(status) });
  await expect(fetchWithRetries(`${site.url}/`, { retryDelayMs: 1 })).rejects.toThrow(`${status}`);
  expect(site.requests).toHaveLength(1);
});

test("attempts are limited, and the last answer is reported", async () => {
  await using site = await startPageSite({ "/": after(500, 500, 503) });
  const options = { attempts: 3, retryDelayMs: 1 };
  await expect(fetchWithRetries(`${site.url}/`, options)).rejects.toThrow("status 503");
  expect(site.requests).toHaveLength(3);
});

test("a server that asks for an hour's delay is not waited for", async () => {
  await using site = await startPageSite({
    "/": (_request, response) => void response.writeHead(429, { "retry-after": "3600" }).end(),
  });
  await expect(fetchWithRetries(`${site.url}/`, {})).rejects.toThrow("status 429");
  expect(site.requests).toHaveLength(1);
});

test("a missing listener is reported with its cause", async () => {
  const site = await startPageSite();
  await site.close();
  await expect(fetchText(`${site.url}/`, {})).rejects.toThrow(/could not be read: .*ECONNREFUSED/);
});

test("the size limit applies to decompressed bytes", async () => {
  const packed = gzipSync("x".repeat(1_000_000));
  await using site = await startPageSite({
    "/": (_request, response) =>
      void response.writeHead(200, { "content-encoding": "gzip" }).end(packed),
  });
  expect(packed.length).toBeLessThan(10_000);
  await expect(fetchText(`${site.url}/`, { maxBytes: 10_000 })).rejects.toThrow("larger than");
});

test("a redirect must lead to an http(s) URL", async () => {
  for (const location of ["file:///etc/hostname", "http://["]) {
    await using site = await startPageSite({
      "/": (_request, response) => void response.writeHead(301, { location }).end(),
    });
    await expect(fetchText(`${site.url}/`, {})).rejects.toThrow(/redirects to/);
  }
});

test("an unchanged page is requested conditionally, and not read again", async () => {
  const page = deprecationPage({ model_id: "m-1" });
  await using site = await startPageSite({
    "/acme": (request, response) => {
      const headers = { etag: '"1"', "last-modified": "Thu, 01 Oct 2026 00:00:00 GMT" };
      const isKnown = request.headers["if-none-match"] === '"1"';
      response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : page);
    },
  });
  const first = await collect([testProvider(site)], emptyState, { now: new Date(0) });
  const second = await collect([testProvider(site)], first);
  expect(site.requests[1]?.headers).toMatchObject({
    "if-none-match": '"1"',
    "if-modified-since": "Thu, 01 Oct 2026 00:00:00 GMT",
  });
  expect(second.catalogue).toEqual(first.catalogue);
  expect(second.statuses).toMatchObject([
    { state: "fresh", last_good: second.checked_at, models: 1 },
  ]);

  const byAnotherVersion = { ...second, program: "another version" };
  await collect([testProvider(site)], byAnotherVersion);
  expect(site.requests[2]?.headers).not.toHaveProperty("if-none-match");
});

test("validators of a bad page are not used in the next run", async () => {
  await using site = await startPageSite();
  const say =
    (text: string, etag: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(200, { etag }).end(text);
  site.pages.set("/acme", say(deprecationPage({ model_id: "m-1" }), '"good"'));
  const good = await collect([testProvider(site)], emptyState);
  site.pages.set("/acme", say("", '"bad"'));
  const bad = await collect([testProvider(site)], good);
  await collect([testProvider(site)], bad);
  expect(site.requests[2]?.headers["if-none-match"]).toBe('"good"');
});
