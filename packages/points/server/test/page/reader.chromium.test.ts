import type { PointsEvent } from "@proj/points-server";
import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now, type ServedStore, serveStore } from "../http/served-store.ts";
import { openPage, rows } from "./open-page.ts";

const isSkipped = isLeftOutWithoutChromium("times and figures on the page of points-server");

/** A swap that earns a millionth of a point for each unit of its value. */
const swapOf = (address: string, usdValue: string): PointsEvent => ({
  ...{ id: address, type: "swap", time: now - 3_600, address },
  ...{ tokenX: "X", tokenY: "Y", usdValue },
});

describe.skipIf(isSkipped)("for its reader, in Chromium", () => {
  let browser: Browser;
  let served: ServedStore;
  beforeAll(async () => {
    browser = await startChromium();
    served = await serveStore(
      [swapOf("quarter", "1234250000"), swapOf("half", "12500000"), swapOf("whole", "7000000")],
      { prefix: "points" },
    );
  });
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });

  const open = async (options: BrowserContextOptions = {}) => {
    const opened = await openPage(browser, served.url, options);
    await rows(opened.page, "whole");
    return opened;
  };

  test("times are in the reader's zone and name it, and numbers in the reader's locale", async () => {
    await using opened = await open({ timezoneId: "Asia/Tokyo", locale: "de-DE" });
    const shown = opened.page.locator("#as-of time");
    const instant = new Date((await shown.getAttribute("datetime")) ?? "");
    // Tokyo has no summer time. A date with a time has no zero before its hour.
    const there = new Date(instant.getTime() + 9 * 3_600_000).toISOString();
    const clock = there.slice(11, 19).replace(/^0/, "");
    expect(await shown.textContent()).toContain(` ${clock} GMT+9`);
    expect(await points(opened)).toEqual(["1.234,25", "12,50", "7,00"]);
  });

  test("the points of all figures lie below each other", async () => {
    await using opened = await open();
    expect(await points(opened)).toEqual(["1,234.25", "12.50", "7.00"]);
    const places = await opened.page.evaluate(`
      [...document.querySelectorAll("#leaderboard td[data-label=Points]")].map(({ firstChild }) => {
        const range = document.createRange();
        const point = firstChild.data.indexOf(".");
        range.setStart(firstChild, point);
        range.setEnd(firstChild, point + 1);
        return Math.round(range.getBoundingClientRect().x * 10);
      })
    `);
    expect(new Set(places as number[]).size).toBe(1);
  });

  test("the seconds to the next ranking are counted down, and then it is due", async () => {
    await using opened = await open();
    const { page } = opened;
    const countdown = page.locator("#as-of");
    const left = async (): Promise<number> =>
      Number(/; next in (\d+) s$/.exec((await countdown.textContent()) ?? "")?.[1]);
    await expect.poll(left).toBeGreaterThan(0);
    const before = await left();
    await expect.poll(left).toBeLessThan(before);
    await using other = await serveStore([swapOf("alone", "1000000")], {
      prefix: "points",
      program: { refreshTime: 1 },
    });
    await page.goto(other.url);
    await page.getByText("; the next one is due").waitFor();
  });
});

const points = ({ page }: Awaited<ReturnType<typeof openPage>>): Promise<string[]> =>
  page.locator("#leaderboard td[data-label=Points]").allTextContents();
