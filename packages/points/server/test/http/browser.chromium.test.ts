import { createServer } from "node:http";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { listen } from "@proj/test-kit";
import { bundleWithEsbuild } from "@proj/test-kit/bundle";
import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { serveStore, swap } from "./served-store.ts";

const isSkipped = isLeftOutWithoutChromium("points-client in a browser, with a real service");
const script = fileURLToPath(new URL("told-points.ts", import.meta.url));

describe.skipIf(isSkipped)("in Chromium, from another origin", () => {
  test("the client reads a real service, and reports its failures", async () => {
    const events = Array.from({ length: 60 }, (_, index) => swap(`a${index + 1}`, index + 1));
    await using served = await serveStore([...events, swap("large", 12_345_678_901_234_567_890n)]);
    const entry = `export { told } from ${JSON.stringify(script)};`;
    const { code } = await bundleWithEsbuild(entry, dirname(script));
    const server = createServer((request, response) => {
      const isScript = request.url === "/entry.js";
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
      response.end(isScript ? code : "");
    });
    const { url, close } = await listen(server);
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      const call = `import("/entry.js").then(({ told }) => told(${JSON.stringify(served.url)}))`;
      expect(await page.evaluate(call)).toEqual({
        ...{ own: 55, isSame: true, ranks: 61, failed: "ConnectionError", aborted: true },
        closed: expect.stringContaining("is closed"),
        refused: expect.stringContaining("answered 400"),
        points: "12345678901234567890000000",
        shown: "12,345,678,901,234,567,890",
      });
    } finally {
      await browser.close();
      await close();
    }
  });
});
