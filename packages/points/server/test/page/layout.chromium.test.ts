import type { PointsEvent } from "@proj/points-server";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  startChromium,
} from "@proj/test-kit/chromium";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now, type ServedStore, serveStore, swap } from "../http/served-store.ts";
import { openPage, rows } from "./open-page.ts";

const isSkipped = isLeftOutWithoutChromium("the layout of the page of points-server");

const long = `0x${"1234567890abcdef".repeat(4)}`;
const mint = "So11111111111111111111111111111111111111112";
const day = 86_400;

const events: readonly PointsEvent[] = [
  { ...swap(long, 1_000), id: "yesterday", time: now - day - 60 } as PointsEvent,
  ...[swap(long, 1_234_567_890), swap("b", 7)],
  { ...swap("b", 1), id: "fraction", usdValue: "250000" } as PointsEvent,
  { id: "d", type: "domain", time: now - 9, address: "b", domain: "b.example" },
  { id: "p", type: "price", time: now - 60, token: mint, price: "2135", priceDecimals: 8 },
];

describe.skipIf(isSkipped)("on screens of any width, in Chromium", () => {
  let browser: Browser;
  let served: ServedStore;
  beforeAll(async () => {
    browser = await startChromium();
    served = await serveStore(events, { prefix: "points", earlier: [now - day] });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });

  /** The page of an address, with its history and all prices. */
  async function open(width: number, options: BrowserContextOptions = {}) {
    const viewport = { width, height: 740 };
    const opened = await openPage(browser, `${served.url}/?address=${long}`, {
      ...{ viewport, isMobile: width < 500, ...options },
    });
    await rows(opened.page, "0x1234…abcdef");
    await opened.page.locator("figure").waitFor();
    await opened.page.locator("#prices tbody time").waitFor();
    return opened;
  }

  test.each([320, 360, 800, 1400])(
    "at %i pixels, every point, price and time is on the screen",
    async (width) => {
      await using opened = await open(width);
      const { page } = opened;
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.locator("tbody td").count()).toBe(2 * 6 + 3);
      expect(await cutOff(page)).toEqual([]);
      // In the table, on the address's card, and for the token.
      expect(await page.getByRole("button", { name: `Copy ${long}` }).count()).toBe(2);
      expect(await page.getByRole("button", { name: `Copy ${mint}` }).count()).toBe(1);
    },
  );

  test.each([
    ...[360, 800, 1400].flatMap((width) => [[width, "light"] as const, [width, "dark"] as const]),
  ])(
    "at %i pixels and in %s colours, the page is accessible by axe's rules",
    async (width, scheme) => {
      await using opened = await open(width, { colorScheme: scheme, bypassCSP: true });
      expect(await accessibilityViolations(opened.page)).toEqual([]);
    },
  );

  test("on a phone, whatever is touched is at least 44 pixels wide and high", async () => {
    await using opened = await open(390);
    const { page } = opened;
    // Those that the page shows only at times too.
    await page.evaluate(`document.querySelector("#newer").hidden = false`);
    const targets: { name: string; width: number; height: number }[] = await page.evaluate(`
      [...document.querySelectorAll("a[href], button, input, select")]
        .filter((target) => target.checkVisibility())
        .map((target) => {
          const { width, height } = target.getBoundingClientRect();
          return { name: target.outerHTML.slice(0, 80), width, height };
        })
    `);
    expect(targets.length).toBeGreaterThan(12);
    expect(targets.filter(({ width, height }) => width < 44 || height < 44)).toEqual([]);
  });

  test("on a phone, numbers of any size are visible, and nothing scrolls sideways", async () => {
    const large = [swap(long, 12_345_678_901_234_567_890n), swap("b", 7)];
    await using other = await serveStore(large, { prefix: "points" });
    const phone = { viewport: { width: 320, height: 740 }, isMobile: true };
    await using opened = await openPage(browser, `${other.url}/?address=${long}`, phone);
    const { page } = opened;
    await rows(page, "0x1234…abcdef");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await cutOff(page)).toEqual([]);
  });

  test("the copy button copies the whole address, and confirms it", async () => {
    await using opened = await open(800, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = opened;
    await page
      .locator("#leaderboard")
      .getByRole("button", { name: `Copy ${long}` })
      .click();
    await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(long);
    // The button then offers to copy again.
    await expect
      .poll(() => page.getByRole("button", { name: `Copy ${long}` }).count(), { timeout: 10_000 })
      .toBe(2);
  });
});

/** The texts of cells that are not wholly inside the window and their table. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(`
    [...document.querySelectorAll("tbody td")].filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const { left, right } = range.getBoundingClientRect();
      const table = cell.closest(".scrolled").getBoundingClientRect();
      return left < table.left || right > Math.min(table.right, innerWidth) + 0.5;
    }).map(({ textContent }) => textContent)
  `);
