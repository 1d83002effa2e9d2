import { createServer } from "node:http";
import { buildFeed, feedListener, PublishedSite } from "@proj/deprecation-feed";
import { listen, temporaryFolder } from "@proj/test-kit";
import { OpenApiCheck } from "@proj/test-kit/openapi";
import { expect, test } from "vitest";
import { deprecationPage, startPageSite, testProvider } from "../page-site.ts";

const base_url = "https://feeds.example/";

/** A published feed of one provider. */
async function publish() {
  const pages = await startPageSite({
    "/acme": deprecationPage({ model_id: "m-1", shutdown_date: "2027-01-01" }),
  });
  const folder = await temporaryFolder();
  const providers = [testProvider(pages, "acme")];
  await buildFeed({ providers, output: folder.path, base_url });
  const site = new PublishedSite(folder.path);
  const server = await listen(createServer(feedListener({ site, providers, base_url })));
  return {
    ...{ site, url: server.url },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), pages.close()]);
      await folder.remove();
    },
  };
}

test("every documented path answers as openapi.yaml says, and every file is documented", async () => {
  const api = await OpenApiCheck.read(new URL("../../openapi.yaml", import.meta.url));
  await using feed = await publish();
  for (const operation of api.operations) {
    const path = operation.slice(4).replace("{slug}", "acme");
    const query = path === "/v1/badge.svg" ? "?model=m-1" : "";
    const answer = await fetch(feed.url + path + query);
    expect([path, answer.status]).toEqual([path, 200]);
    await api.check(operation, answer);
  }
  await api.check("GET /v1/feed.json", await fetch(`${feed.url}/v1/feed.json?provider=nobody`));
  await api.check("GET /v1/badge.svg", await fetch(`${feed.url}/v1/badge.svg`));
  expect(api.unasked).toEqual([]);

  const files = [...((await feed.site.snapshot())?.files.keys() ?? [])]
    .filter((file) => file !== "index.html" && !file.startsWith("page/"))
    .map((file) => `/${file.replace(/(providers|snapshots)\/acme/, "$1/{slug}")}`);
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((file) => !(file in api.document.paths))).toEqual([]);
});
