import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveStore, swap } from "../http/served-store.ts";
import { openPage, rows } from "./open-page.ts";

const isSkipped = isLeftOutWithoutChromium("the page of points-server without its server");
const many = Array.from({ length: 60 }, (_, index) => swap(`a${index + 1}`, index + 1));

describe.skipIf(isSkipped)("without a server or a ranking, in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  test("a page that cannot be read says so where the reader is, and appears once it can", async () => {
    await using served = await serveStore(many, { prefix: "points" });
    await using opened = await openPage(browser, served.url, {}, [/ERR_FAILED/]);
    const { page } = opened;
    await rows(page, "a60");
    const next = page.getByRole("link", { name: "Next" });
    await next.scrollIntoViewIfNeeded();
    await page.route("**/points/**", (route) => route.abort());
    await next.click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toBe("The server does not answer. Trying again …");
    const { y = -1 } = (await alert.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
    // The rows are those of before, and marked as such.
    expect(await page.locator("html").getAttribute("data-server")).toBe("gone");
    await page.unroute("**/points/**");
    await rows(page, "a35");
    await alert.waitFor({ state: "hidden" });
    expect(await page.locator("html").getAttribute("data-server")).toBe(null);
    // A turned page is shown from its beginning.
    expect(await page.locator("#leaderboard tbody tr").first().isVisible()).toBe(true);
    expect((await page.locator(".tabs").boundingBox())?.y).toBeGreaterThan(-1);
  });

  test("the first ranking appears by itself", async () => {
    await using served = await serveStore([], { prefix: "points" });
    await using opened = await openPage(browser, served.url);
    const { page } = opened;
    await page.getByText("There is no ranking yet; it is computed every 45 seconds").waitFor();
    expect(await page.getByRole("alert").isVisible()).toBe(false);
    await served.store.ingest(many);
    await served.store.buildSnapshot();
    await rows(page, "a60");
    await page.getByText(/next in \d+ s/).waitFor();
  });

  test("prices are read again with each new ranking", async () => {
    await using served = await serveStore(many, { prefix: "points", program: { refreshTime: 1 } });
    await using opened = await openPage(browser, `${served.url}/?offset=25`);
    const { page } = opened;
    await page.locator("#leaderboard tbody td").first().waitFor();
    expect(await page.getByRole("link", { name: "Prices" }).isVisible()).toBe(false);
    const price = { type: "price", time: 1_700_000_000, price: "5", priceDecimals: 0 };
    await served.store.ingest([{ id: "p", token: "SOL", ...price }]);
    await served.store.buildSnapshot();
    await page.locator("#prices td", { hasText: "SOL" }).waitFor();
    // This reader has turned a page: the ranking does not change by itself.
    await page.getByText("There is a newer ranking").waitFor();
  });

  test("the link of an address's rank leads to its row", async () => {
    await using served = await serveStore(many, { prefix: "points" });
    const viewport = { width: 800, height: 500 };
    await using opened = await openPage(browser, `${served.url}/?address=a12`, { viewport });
    const { page } = opened;
    await page.locator("#address").getByRole("link", { name: "49 of 60" }).first().click();
    const own = page.locator("tr.searched");
    await own.filter({ hasText: "a12" }).waitFor();
    await page.getByText("26–50 of 60").waitFor();
    await expect.poll(async () => (await own.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    expect((await own.boundingBox())?.y).toBeLessThan(viewport.height);
  });
});
