import { createServer } from "node:http";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { listen } from "@proj/test-kit";
import { bundleWithEsbuild, bundleWithVite } from "@proj/test-kit/bundle";
import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, serve, type TestService } from "../serve.ts";

const folder = dirname(fileURLToPath(import.meta.url));
const isSkipped = isLeftOutWithoutChromium("points-client in a browser");

/** A ranking of 60 addresses; `current` is its snapshot. */
const ranking =
  (current: () => number): Answer =>
  (response, { path, method }) => {
    const { pathname, searchParams } = new URL(path, "http://x");
    const snapshot = searchParams.get("snapshot") ?? String(current());
    const headers = {
      ...{ "access-control-allow-origin": "*", "access-control-allow-headers": "if-none-match" },
      ...{ "access-control-expose-headers": "etag, x-snapshot", "x-snapshot": snapshot },
      ...{ "content-type": "application/json", etag: `"${path} ${snapshot}"` },
    };
    if (method === "OPTIONS") return void response.writeHead(204, headers).end();
    if (pathname === "/api/refused/total/null")
      return void response.writeHead(400, headers).end('{"detail":"no such network"}');
    const offset = Number(searchParams.get("offset") ?? 0);
    const size = Number(searchParams.get("size") ?? 25);
    const records = Array.from({ length: 60 }, (_, index) => ({
      ...{ address: `${snapshot}-${index + 1}`, points: "90071992547409930000", rank: index + 1 },
      ...{ last24hPoints: "0", lpPoints: "0", swapPoints: "0" },
    }));
    const leaderboard = records.slice(offset, offset + size);
    response.writeHead(200, headers);
    response.end(JSON.stringify({ user: null, leaderboard, totalItems: 60 }));
  };

describe.skipIf(isSkipped)("in Chromium, from another origin", () => {
  let newest = 1;
  let service: TestService;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  beforeAll(async () => {
    service = await serve(ranking(() => newest));
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  async function open(code: string) {
    const server = createServer((request, response) => {
      const isScript = request.url === "/entry.js";
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
      response.end(isScript ? code : `<div id="root"></div>`);
    });
    const listening = await listen(server);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(listening.url);
    const dispose = async (): Promise<void> => {
      await page.close();
      await listening.close();
      expect(errors).toEqual([]);
    };
    return { page, [Symbol.asyncDispose]: dispose };
  }

  test.each([
    ["esbuild", bundleWithEsbuild],
    ["Vite", bundleWithVite],
  ])("a bundle by %s reads rankings, and reports refusals", async (_name, bundle) => {
    const { code } = await bundle(`export * from "@proj/points-client";`, folder);
    await using opened = await open(code);
    const told = await opened.page.evaluate(`(async () => {
      const { createPointsClient } = await import("/entry.js");
      const client = createPointsClient({ baseUrl: ${JSON.stringify(service.url)}, network: "main" });
      const page = await client.leaderboard("total", { size: 2 });
      await client.leaderboard("total", { size: 2 });
      const all = [];
      for await (const { rank } of client.ranking("total", { pageSize: 25 })) all.push(rank);
      const other = createPointsClient({ baseUrl: ${JSON.stringify(service.url)}, network: "refused" });
      const refused = await other.leaderboard("total").catch((error) => String(error));
      const gone = createPointsClient({ baseUrl: "http://127.0.0.1:1", network: "x", retry: false });
      const failed = await gone.config().catch((error) => [error.name, error.neverSent]);
      client.close();
      const closed = await client.config().catch((error) => error.message);
      return {
        snapshot: page.snapshot, refused, failed, closed, ranks: all.length,
        shown: client.formatted(page.leaderboard[0].points, 6, { locale: "en" }),
      };
    })()`);
    expect(told).toEqual({
      ...{ snapshot: "1", ranks: 60, shown: "90,071,992,547,409.93" },
      refused: expect.stringContaining("answered 400: no such network"),
      failed: ["ConnectionError", false],
      closed: expect.stringContaining("is closed"),
    });
  });

  test("a React component turns pages of one snapshot, and learns of a newer one", async () => {
    const app = `
      import { createElement as h } from "react";
      import { createRoot } from "react-dom/client";
      import { createPointsClient } from "@proj/points-client";
      import { useLeaderboard } from "@proj/points-client/react";
      const client = createPointsClient({ baseUrl: ${JSON.stringify(service.url)}, network: "main" });
      function App() {
        const pages = useLeaderboard(client, "total", { size: 25, refreshMs: 20 });
        const button = (name, onClick) => h("button", { onClick }, name);
        return h("div", null,
          h("p", { id: "first" }, pages.page?.leaderboard[0]?.address ?? "…"),
          h("p", { id: "outdated" }, String(pages.isOutdated)),
          button("next", pages.next), button("previous", pages.previous), button("refresh", pages.refresh));
      }
      createRoot(document.getElementById("root")).render(h(App));`;
    const { code } = await bundleWithEsbuild(app, folder);
    await using opened = await open(code);
    const { page } = opened;
    await page.evaluate(`import("/entry.js")`);
    const shown = (text: string) =>
      page.locator("#first", { hasText: text }).waitFor({ timeout: 30_000 });
    await shown("1-1");
    // The first page updates by itself.
    newest = 2;
    await shown("2-1");
    await page.getByRole("button", { name: "next" }).click();
    await shown("2-26");
    newest = 3;
    await page.locator("#outdated", { hasText: "true" }).waitFor();
    await page.getByRole("button", { name: "next" }).click();
    await shown("2-51");
    await page.getByRole("button", { name: "refresh" }).click();
    await shown("3-51");
    await page.locator("#outdated", { hasText: "false" }).waitFor();
    newest = 1;
  });
});
