import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now, serveStore, swap } from "../http/served-store.ts";
import { openPage, rows } from "./open-page.ts";

const isSkipped = isLeftOutWithoutChromium("the history on the page of points-server");

describe.skipIf(isSkipped)("over snapshots, in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  test("shows the rank and points of an address day by day", async () => {
    const day = 86_400;
    const [before, yesterday] = [now - 2 * day, now - day];
    const at = (id: string, address: string, points: number, time: number) => ({
      ...swap(address, points),
      ...{ id, time },
    });
    const history = [
      at("1", "alice", 1_000, before - 9),
      at("2", "bob", 2_000, before - 8),
      at("3", "alice", 500, yesterday - 9),
      at("4", "alice", 3_000, now - 9),
    ];
    const options = { prefix: "points", earlier: [before, yesterday] };
    await using other = await serveStore(history, options);
    await using opened = await openPage(browser, `${other.url}/?address=alice`);
    const { page } = opened;
    await page.getByRole("heading", { name: "alice" }).waitFor();
    const change = page.locator("#address dl > div").filter({ hasText: "Change" });
    expect(await change.textContent()).toMatch(/▲1 in rank, \+3,000 points since /);
    expect(await change.locator("time").getAttribute("datetime")).toBe(
      new Date(yesterday * 1_000).toISOString(),
    );
    const chart = page.getByRole("img", { name: "Points by day, from 1,000 to 4,500" });
    const dots = await chart
      .locator("circle")
      .evaluateAll((all) => all.map((dot) => Number(dot.getAttribute("cy"))));
    // The line rises, so y decreases.
    expect(dots).toHaveLength(3);
    expect(dots).toEqual(dots.toSorted((a, b) => b - a));
    expect(await chart.locator("title").allTextContents()).toEqual([
      expect.stringContaining("1,000 points, rank 2"),
      expect.stringContaining("1,500 points, rank 2"),
      expect.stringContaining("4,500 points, rank 1"),
    ]);
    // An address whose history begins today has no line.
    await page.goto(`${other.url}/?address=nobody`);
    await page.getByText("Not found").waitFor();
    expect(await page.locator("figure").count()).toBe(0);
  });

  test("the link of a shared rank leads to the address's own page", async () => {
    const many = Array.from({ length: 60 }, (_, index) => swap(`b${10 + index}`, 5));
    const program = { ranking: { ties: "shared" as const } };
    await using other = await serveStore(many, { prefix: "points", program });
    await using opened = await openPage(browser, `${other.url}/?address=b69`);
    const { page } = opened;
    await page.locator("#address").getByRole("link", { name: "1 of 60" }).first().click();
    await page.waitForURL(/offset=50/);
    await rows(page, "b60");
    expect(await page.locator(".searched td").first().textContent()).toBe("1");
    expect(await page.locator("#leaderboard tbody tr").count()).toBe(10);
  });

  test("rank changes are counted over all snapshots since the page was opened", async () => {
    const program = { refreshTime: 1 };
    const few = [swap("a", 30), swap("b", 20), swap("c", 10)];
    await using other = await serveStore(few, { prefix: "points", program });
    await using opened = await openPage(browser, other.url);
    const { page } = opened;
    await rows(page, "c");
    for (const points of [15, 20]) {
      await other.store.ingest([swap("c", points)]);
      await other.store.buildSnapshot();
      const rank = points === 15 ? 2 : 1;
      await page.getByText(`▲${3 - rank}`).waitFor();
    }
    expect(await page.locator(".risen").allTextContents()).toEqual([" ▲2"]);
    expect(await page.locator(".fallen").allTextContents()).toEqual([" ▼1", " ▼1"]);
  });
});
