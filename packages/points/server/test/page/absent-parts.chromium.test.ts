import type { PointsEvent } from "@proj/points-server";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  startChromium,
} from "@proj/test-kit/chromium";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now, program, serveStore, swap } from "../http/served-store.ts";
import { openPage, rows } from "./open-page.ts";

const isSkipped = isLeftOutWithoutChromium("what a points program does not have, on its page");

const position: PointsEvent = {
  ...{ id: "o", type: "position_opened", time: now - 100, address: "b", pool: "pool" },
  ...{ position: "p1", liquidity: "5" },
};
const noQuest = { ...program.quest, threshold: "0" };

describe.skipIf(isSkipped)("the page hides what a program does not have", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  /** What the page offers besides the total. */
  async function offered(url: string, options: BrowserContextOptions = {}) {
    const { page, ...opened } = await openPage(browser, `${url}/?address=a&ranking=lp`, options);
    await rows(page, "a");
    await page.locator("#address dt").first().waitFor();
    return {
      ...{ page, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] },
      headings: (await page.locator("#leaderboard th").allTextContents()).slice(4),
      tabs: await visible(page, ".tabs a"),
      facts: await page.locator("#address dt").allTextContents(),
      links: await visible(page, "header a"),
    };
  }

  test("no pools, no prices, no quest: at three widths, in both schemes", async () => {
    await using served = await serveStore([swap("a", 7)], {
      ...{ prefix: "points", program: { promotedPools: [], quest: noQuest } },
    });
    for (const colorScheme of ["light", "dark"] as const) {
      await using shown = await offered(served.url, { colorScheme, bypassCSP: true });
      const { page, headings, tabs, facts, links } = shown;
      expect({ headings, tabs, facts, links }).toEqual({
        ...{ headings: ["Swaps"], tabs: ["Total", "Swaps"], facts: ["Total", "Swaps"] },
        links: ["Rankings", "Configuration"],
      });
      expect(await page.getByRole("region", { name: "Prices", exact: true }).count()).toBe(0);
      for (const width of [390, 768, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await accessibilityViolations(page)).toEqual([]);
      }
    }
  });

  test("no swaps, unless they earned points before", async () => {
    // Swaps earned points until a minute ago.
    const rateChanges = [{ startTimestamp: `${now - 60}`, swapPairs: [] }];
    await using past = await serveStore([swap("a", 7)], {
      ...{ prefix: "points", program: { promotedPools: [], rateChanges } },
    });
    expect(await (await past.ask("/points/config")).json()).toMatchObject({ swapPairs: [] });
    await using swaps = await offered(past.url);
    expect(swaps).toMatchObject({ tabs: ["Total", "Swaps"], headings: ["Swaps"] });
    await using pools = await serveStore([{ ...position, address: "a" } as PointsEvent], {
      ...{ prefix: "points", program: { swapPairs: [] } },
    });
    await using liquidity = await offered(pools.url);
    expect(liquidity).toMatchObject({
      ...{ tabs: ["Total", "Liquidity"], headings: ["Open positions"] },
      facts: ["Total", "Liquidity", "Quest"],
    });
    await using served = await serveStore([swap("a", 7)], {
      ...{ prefix: "points", page_rankings: [], program: { quest: noQuest } },
    });
    await using total = await offered(served.url);
    expect(total).toMatchObject({ tabs: [], headings: [], facts: ["Total"] });
  });
});

/** The texts of the elements that can be seen. */
const visible = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(`
    [...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((element) => element.checkVisibility())
      .map(({ textContent }) => textContent)
  `);
