import type { PointsEvent } from "@proj/points-server";
import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now, type ServedStore, serveStore, swap } from "../http/served-store.ts";
import { openPage, rows } from "./open-page.ts";

const isSkipped = isLeftOutWithoutChromium("the page of points-server in a browser");

/** 60 addresses with swaps, `a60` the most; `a7` has liquidity and a domain, `large` more than 2^53 points. */
const events: readonly PointsEvent[] = [
  ...Array.from({ length: 60 }, (_, index) => swap(`a${index + 1}`, index + 1)),
  swap("large", 12_345_678_901_234_567_890n),
  { id: "d", type: "domain", time: now - 9, address: "a7", domain: "seven.example" },
  {
    ...{ id: "o", type: "position_opened", time: now - 100, address: "a7", pool: "pool" },
    ...{ position: "p1", liquidity: "5" },
  },
  { id: "p1", type: "price", time: now - 60, token: "X", price: "12345", priceDecimals: 2 },
];

describe.skipIf(isSkipped)("the page in Chromium", () => {
  let browser: Browser;
  let served: ServedStore;
  beforeAll(async () => {
    browser = await startChromium();
    served = await serveStore(events, { prefix: "points" });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });

  const open = (
    path = "/",
    options: BrowserContextOptions = {},
    expected: RegExp[] = [],
    url = served.url,
  ) => openPage(browser, `${url}${path}`, options, expected);

  test("shows the total ranking, with exact numbers of any size", async () => {
    await using opened = await open();
    const { page } = opened;
    await rows(page, "large");
    expect(await page.locator("h1").textContent()).toBe("Points on main");
    expect(await headings(page)).toEqual([
      ...["Rank", "Address", "Points", "Last 24 hours", "Liquidity", "Swaps"],
    ]);
    expect(
      await page.locator("#leaderboard tbody tr").first().locator("td").allTextContents(),
    ).toEqual([
      ...["1", "large", "12,345,678,901,234,567,890", "12,345,678,901,234,567,890", "0"],
      "12,345,678,901,234,567,890",
    ]);
    expect(await page.locator("#as-of").textContent()).toMatch(/^As of .*every 45 seconds/);
    expect(await page.getByLabel("Season").isVisible()).toBe(false);
    expect(await page.getByRole("link", { name: "Quest by Quests" }).getAttribute("href")).toBe(
      "https://quests.example/",
    );
  });

  test.each([-3_600, 3_600])(
    "counts down by the server's clock, with the reader's off by %i seconds",
    async (offset) => {
      const program = {
        refreshTime: 600,
        seasons: [{ name: "first", startTimestamp: `${now - 60}` }],
      };
      await using other = await serveStore(events, { prefix: "points", program });
      await using opened = await openPage(browser, other.url, {}, [], {
        script: `{ const { now } = Date; Date.now = () => now() + ${offset * 1_000}; }`,
      });
      const { page } = opened;
      await rows(page, "large");
      await page.getByText(/; next in \d+ s$/).waitFor();
      const left = /next in ([\d,]+) s/.exec((await page.locator("#as-of").textContent()) ?? "");
      expect(Number(left?.[1]?.replace(",", ""))).toBeLessThanOrEqual(600);
      expect(await page.getByLabel("Season").isVisible()).toBe(true);
    },
  );

  test("is turned page by page, and the URL says which page it is", async () => {
    await using opened = await open();
    const { page } = opened;
    await rows(page, "large");
    expect(await page.locator("#range").textContent()).toBe("1–25 of 61");
    expect(await page.locator("#previous").isVisible()).toBe(false);
    await page.getByRole("link", { name: "Next" }).click();
    await rows(page, "a36");
    expect(new URL(page.url()).search).toBe("?ranking=total&offset=25");
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("51–61 of 61").waitFor();
    expect(await page.locator("#next").isVisible()).toBe(false);
    await page.goBack();
    await page.getByText("26–50 of 61").waitFor();
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByText("1–25 of 61").waitFor();
  });

  test("shows the three rankings", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole("link", { name: "Liquidity" }).click();
    await page.getByRole("columnheader", { name: "Open positions" }).waitFor();
    expect(await page.locator("#leaderboard tbody tr").count()).toBe(1);
    await page.getByRole("link", { name: "Swaps" }).click();
    await page.getByRole("columnheader", { name: "Domain" }).waitFor();
    expect(await page.locator(".tabs [aria-current]").textContent()).toBe("Swaps");
    expect(new URL(page.url()).search).toBe("?ranking=swaps");
  });

  test("an answer that arrives after the reader moved on changes nothing", async () => {
    await using opened = await open();
    const { page } = opened;
    await rows(page, "large");
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/swaps/**", async (route) => {
      ask();
      await released;
      await route.continue();
    });
    await page.getByRole("link", { name: "Swaps" }).click();
    // A reader who moves on earlier than that has asked for nothing.
    await asked;
    await page.getByRole("link", { name: "Liquidity" }).click();
    await page.getByRole("columnheader", { name: "Open positions" }).waitFor();
    const late = page.waitForResponse("**/swaps/**");
    release();
    await (await late).finished();
    await page.evaluate("new Promise(requestAnimationFrame)");
    expect(await headings(page)).toContain("Open positions");
  });

  test("finds an address: its places, its quest, and its page of the ranking", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel("Address", { exact: true }).first().fill(" a7 ");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("heading", { name: "a7" }).waitFor();
    expect(new URL(page.url()).search).toBe("?ranking=total&address=a7");
    const facts = page.locator("#address dl > div");
    expect(await facts.filter({ hasText: "Swaps" }).textContent()).toMatch(/55 of 61, 7 points/);
    expect(await facts.filter({ hasText: "Liquidity" }).textContent()).toMatch(
      /1 of 1, \d+ points/,
    );
    expect(await facts.filter({ hasText: "Quest" }).textContent()).toMatch(
      /completed, [\d.,]+ points/,
    );
    expect(await facts.filter({ hasText: "Domain" }).textContent()).toContain("seven.example");
    await facts.filter({ hasText: "Swaps" }).getByRole("link").click();
    await page.getByText("51–61 of 61").waitFor();
    expect(await page.locator("tr.searched td").nth(1).textContent()).toBe("a7");
  });

  test("opens the view of its URL, and an address in the table links to its details", async () => {
    await using opened = await open("/?ranking=swaps&address=a60&offset=25");
    const { page } = opened;
    await page.getByRole("heading", { name: "a60" }).waitFor();
    await page.getByText("26–50 of 61").waitFor();
    await page.getByRole("link", { name: "a30", exact: true }).click();
    await page.getByRole("heading", { name: "a30" }).waitFor();
    expect(await page.getByLabel("Address", { exact: true }).first().inputValue()).toBe("a30");
  });

  test("says that an unknown address was not found", async () => {
    await using opened = await open("/?address=nobody");
    const { page } = opened;
    await page.getByRole("heading", { name: "nobody" }).waitFor();
    expect(await page.getByText("Not found").isVisible()).toBe(true);
  });

  test("a domain finds its address", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel("Address", { exact: true }).first().fill("seven.example");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("heading", { name: "a7" }).waitFor();
    expect(new URL(page.url()).search).toBe("?ranking=total&address=a7");
    // Its own row is there on any page.
    await page.locator(".tabs").getByRole("link", { name: "Swaps" }).click();
    await page.locator("tr.pinned").waitFor();
    expect(await page.locator("tr.pinned td").nth(1).textContent()).toBe("a7");
  });

  test("turned pages are from one snapshot, and a newer one is announced", async () => {
    const many = Array.from({ length: 60 }, (_, index) => swap(`b${index + 1}`, index + 1));
    await using other = await serveStore(many, {
      prefix: "points",
      program: { refreshTime: 1 },
    });
    await using opened = await open("/", {}, [], other.url);
    const { page } = opened;
    await rows(page, "b60");
    await page.getByRole("link", { name: "Next" }).click();
    await rows(page, "b35");
    await other.store.ingest([swap("first", 1_000)]);
    await other.store.buildSnapshot();
    await page.getByText("There is a newer ranking").waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await rows(page, "b10");
    await page.getByText("51–60 of 60").waitFor();
    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByText("51–61 of 61").waitFor();
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByText("26–50 of 61").waitFor();
    await page.getByRole("link", { name: "Previous" }).click();
    await rows(page, "first");
    // The first page updates by itself.
    await other.store.ingest([swap("second", 2_000)]);
    await other.store.buildSnapshot();
    await rows(page, "second");
  });

  test("shows why an address is refused, and still shows the ranking", async () => {
    await using opened = await open("/?address=%3Cb%3Eno%3C/b%3E", {}, [/400/]);
    const { page } = opened;
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("'<b>no</b>' is not an address");
    await rows(page, "large");
    expect(await page.locator("#address").isVisible()).toBe(false);
  });

  test("shows prices exactly", async () => {
    await using opened = await open();
    const { page } = opened;
    const cells = page.locator("#prices tbody tr td");
    await cells.first().waitFor();
    expect((await cells.allTextContents()).slice(0, 2)).toEqual(["X", "123.45"]);
  });

  test("an offset beyond the end links back to the last page", async () => {
    await using opened = await open("/?offset=1000");
    const { page } = opened;
    await page.getByText("61 in all").waitFor();
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByText("37–61 of 61").waitFor();
  });
});

const headings = (page: Page): Promise<string[]> =>
  page.locator("#leaderboard thead th").allTextContents();
