import { createServer, type RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { buildFeed, feedListener, PublishedSite } from "@proj/deprecation-feed";
import { isLeftOut, type Listening, listen, temporaryFolder } from "@proj/test-kit";
import { bundleWithEsbuild } from "@proj/test-kit/bundle";
import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import { webRuntimes } from "@proj/test-kit/web-runtimes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deprecationPage, startPageSite, testProvider } from "../page-site.ts";

const script = fileURLToPath(new URL("told-feed.ts", import.meta.url));
const told = { isKnown: true, ended: "ending", unknown: "unknown", nobody: "FeedError" };

const cleanup = new AsyncDisposableStack();
let listener: RequestListener;
let feed: Listening;
beforeAll(async () => {
  const site = await startPageSite({
    "/acme": deprecationPage({ model_id: "m-1", shutdown_date: "2027-01-01" }),
  });
  cleanup.defer(() => site.close());
  const folder = cleanup.use(await temporaryFolder());
  const base_url = "https://feeds.example/";
  const providers = [testProvider(site, "acme")];
  await buildFeed({ providers, output: folder.path, base_url });
  const published = { site: new PublishedSite(folder.path), providers, base_url };
  listener = feedListener(published);
  feed = await listen(createServer(listener));
  cleanup.defer(() => feed.close());
});
afterAll(() => cleanup.disposeAsync());

/** Proxies the feed's own server, but does not answer preflight requests. */
const staticFiles: RequestListener = async ({ method = "", url = "" }, response) => {
  if (method === "OPTIONS") return void response.writeHead(405).end();
  const answer = await fetch(feed.url + url);
  const etag = answer.headers.get("etag") ?? "";
  const headers = { "access-control-allow-origin": "*", "access-control-expose-headers": "etag" };
  response.writeHead(answer.status, { ...headers, etag }).end(await answer.text());
};

describe.each(await webRuntimes())("in $name $version", ({ name, bin, tell }) => {
  const leftOut = isLeftOut(
    `the feed's consumer in ${name}`,
    bin !== null,
    "npm and its registry are needed",
  );

  test.skipIf(leftOut)("the consumer reads a feed, asks conditionally, and checks", async () => {
    expect(await tell(script, `${feed.url}/`)).toEqual(told);
  });
});

describe.skipIf(isLeftOutWithoutChromium("the feed's consumer in a browser"))("in Chromium", () => {
  const servers: readonly (readonly [kind: string, url: () => Promise<Listening>, told: object])[] =
    [
      ["that allows it", () => listen(createServer(listener)), told],
      [
        "of static files that does not",
        () => listen(createServer(staticFiles)),
        { ...told, isKnown: false },
      ],
    ];
  test.each(servers)(
    "the consumer reads a feed of another origin, and again from a server %s",
    async (_kind, start, expected) => {
      await using server = await start();
      const { code } = await bundleWithEsbuild(`export * from ${JSON.stringify(script)};`, ".");
      await using page = await listen(
        createServer((request, response) => {
          const type = request.url === "/entry.js" ? "text/javascript" : "text/html";
          response.writeHead(200, { "content-type": type }).end(type === "text/html" ? "" : code);
        }),
      );
      const browser = await startChromium();
      try {
        const opened = await browser.newPage();
        await opened.goto(page.url);
        const call = `import("/entry.js").then(({ told }) => told(${JSON.stringify(`${server.url}/`)}))`;
        expect(await opened.evaluate(call)).toEqual(expected);
      } finally {
        await browser.close();
      }
    },
  );
});
