import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { writeTwoPrompts } from "../examples/two-prompts.ts";
import { launch } from "./launcher.ts";

describe.skipIf(isLeftOutWithoutChromium("reports in a browser"))("a comparison's HTML", () => {
  test("opens from disk at every width, light and dark, and its tables scroll by keys", async () => {
    await using folder = await temporaryFolder();
    const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
    await writeTwoPrompts(db_url);
    const file = join(folder.path, "comparison.html");
    const jobs = ["compare", "prompt-a", "prompt-b"];
    expect(await launch([...jobs, "--html", file, "--db-path", db_url])).toMatchObject({ code: 0 });

    const url = pathToFileURL(file).href;
    await using browser = await watchBrowser(url);
    const backgrounds = new Set<string>();
    for (const width of [390, 768, 1280])
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await browser.open("", { colorScheme, viewport: { width, height: 800 } });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        backgrounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
        expect([width, colorScheme, await accessibilityViolations(page)]).toEqual([
          width,
          colorScheme,
          [],
        ]);
        await page.getByText("B is better than A by 0.1313").waitFor();
        await page.context().close();
      }
    expect(backgrounds.size).toBe(2);

    // The table of tasks is wider than a phone: Tab reaches it, and an arrow shows its end.
    const page = await browser.open("", { viewport: { width: 390, height: 800 } });
    const scrolled = (): Promise<number> => page.evaluate("document.activeElement.scrollLeft");
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.getAttribute('aria-label')");
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Both jobs, /);
    await page.keyboard.press("ArrowRight");
    await expect.poll(scrolled).toBeGreaterThan(0);
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Paired test, /);
    // It asked for nothing but itself.
    expect(new Set(browser.complaints)).toEqual(new Set([`asked for ${url}`]));
  });
});
