import {
  accessibilityViolations,
  goTo,
  isLeftOutWithoutChromium,
  startChromium,
} from "@proj/test-kit/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveSample } from "./sample-page.ts";

const isSkipped = isLeftOutWithoutChromium("the page kit in a browser");

describe.skipIf(isSkipped)("the kit in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test("is accessible and never scrolls sideways, on phones and screens, light and dark", async () => {
    await using server = await serveSample();
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      await goTo(page, server.url);
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const scrolled = await page.evaluate("document.documentElement.scrollWidth");
        expect([width, scrolled]).toEqual([width, width]);
        expect(await accessibilityViolations(page)).toEqual([]);
      }
      const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(ground).toBe(colorScheme === "light" ? "rgb(251, 250, 248)" : "rgb(23, 24, 27)");
      await context.close();
    }
  });

  test("writes numbers and times in the reader's locale, with the time zone", async () => {
    await using server = await serveSample();
    const context = await browser.newContext({ locale: "de-DE", timezoneId: "America/New_York" });
    const page = await context.newPage();
    await goTo(page, server.url);
    await page.locator("#time time").waitFor();
    expect(await page.locator("#number").textContent()).toBe("12.345.678.901.234.567,89");
    expect(await page.locator("#time").textContent()).toMatch(/31\. Dez\. 2025.*19:00:00 GMT-5/);
    await context.close();
  });

  test("says when the server is gone, and when it is back", async () => {
    const server = await serveSample();
    const page = await browser.newPage();
    let isBack = false;
    await page.route("**/answer", (route) =>
      isBack
        ? route.fulfill({ status: 404, json: { detail: "There is none." } })
        : route.continue(),
    );
    await goTo(page, server.url);
    await page.locator("#time time").waitFor();
    await server.close();
    await page.mouse.click(10, 10);
    await page.locator(":root[data-server=gone]").waitFor();
    expect(await page.locator("#problem").textContent()).toBe("The server does not answer.");
    isBack = true;
    // One answer that fails on the way is asked for again.
    await page.route("**/answer", (route) => route.abort("connectionfailed"), { times: 1 });
    await page.mouse.click(10, 10);
    await page.locator(":root:not([data-server])").waitFor();
    await expect.poll(() => page.locator("#problem").textContent()).toBe("There is none.");
    await page.close();
  });
});
