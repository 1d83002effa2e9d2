import type { PointsEvent } from "@proj/points-server";
import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now, serveStore, swap } from "../http/served-store.ts";
import { openPage, rows } from "./open-page.ts";

const isSkipped = isLeftOutWithoutChromium("seasons on the page of points-server");

const seasons = [
  { name: "genesis", startTimestamp: "0", endTimestamp: String(now - 7_200) },
  { name: "summer", startTimestamp: String(now - 7_200) },
  { name: "later", startTimestamp: String(now + 7_200) },
];
const early: PointsEvent = { ...swap("early", 5), time: now - 10_000 } as PointsEvent;

describe.skipIf(isSkipped)("with seasons, in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  const addresses = (page: Page): Promise<string[]> =>
    page.locator("#leaderboard tbody td[data-label=Address]").allTextContents();

  test("each season that has begun has its own ranking, and its URL can be shared", async () => {
    const program = { seasons, refreshTime: 1 };
    await using served = await serveStore([early, swap("late", 3)], { prefix: "points", program });
    await using opened = await openPage(browser, served.url);
    const { page } = opened;
    await rows(page, "late");
    expect(await addresses(page)).toEqual(["early", "late"]);
    const select = page.getByLabel("Season");
    expect(await select.locator("option").allTextContents()).toEqual([
      ...["All time", "genesis", "summer"],
    ]);
    await select.selectOption("genesis");
    await page.getByText("This season ended on ").waitFor();
    expect(await addresses(page)).toEqual(["early"]);
    expect(new URL(page.url()).search).toBe("?ranking=total&season=genesis");
    const end = new Date((now - 7_200) * 1_000).toISOString();
    expect(await page.locator("#as-of time").getAttribute("datetime")).toBe(end);
    // Tabs and addresses stay in the season.
    await page.locator(".tabs").getByRole("link", { name: "Swaps" }).click();
    await page.getByRole("columnheader", { name: "Domain" }).waitFor();
    expect(await addresses(page)).toEqual(["early"]);

    await page.goto(`${served.url}/?season=summer&address=early`);
    await page.getByRole("heading", { name: "early" }).waitFor();
    expect(await select.inputValue()).toBe("summer");
    expect(await addresses(page)).toEqual(["late"]);
    expect(await page.locator("#address dl > div").first().textContent()).toContain(
      "not in this ranking",
    );
    // The ranking of a season that goes on updates by itself.
    await served.store.ingest([swap("first", 1_000)]);
    await served.store.buildSnapshot();
    await rows(page, "first");
    expect(await addresses(page)).toEqual(["first", "late"]);
  });
});
