import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startChromium } from "@proj/test-kit/chromium";
import { createViewServer } from "../src/index.ts";
import { writeSampleJob } from "./sample-job.ts";
import { sampleStore } from "./sample-store.ts";

const images = new URL("../../../../docs/images/", import.meta.url);
const views = [
  ["console-session", "#/sessions/nightly-3", "article img.image"],
  ["console-job", "#/jobs/nightly", "a.cell"],
] as const;

/** Takes the README's screenshots. */
await using sample = await sampleStore();
await writeSampleJob(sample, "nightly", 64);
const server = createViewServer(sample.store).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const browser = await startChromium();
const page = await browser.newPage({ viewport: { width: 1120, height: 700 } });
for (const [name, place, shown] of views) {
  const port = typeof address === "object" ? address?.port : 0;
  await page.goto(`http://127.0.0.1:${port}/console${place}`);
  await page.locator(shown).first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, images)) });
}
await browser.close();
server.close();
server.closeAllConnections();
