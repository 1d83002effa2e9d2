import { createServer } from "node:http";
import {
  buildFeed,
  feedListener,
  type Notice,
  type Provider,
  PublishedSite,
} from "@proj/deprecation-feed";
import { listen, temporaryFolder } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  reload,
  startChromium,
} from "@proj/test-kit/chromium";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deprecationPage, startPageSite, testProvider } from "./page-site.ts";

const isSkipped = isLeftOutWithoutChromium("the page of deprecation-feed in a browser");

describe.skipIf(isSkipped)("the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  /** The page as opened on 20 November 2026. */
  async function open(options: BrowserContextOptions = {}, path = "/", output = published.path) {
    const listener = feedListener({
      site: new PublishedSite(output),
      providers,
      base_url: "http://x/",
    });
    const server = await listen(createServer(listener));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("console", (line) => void (line.type() === "error" && errors.push(line.text())));
    await page.clock.setFixedTime(new Date("2026-11-20T12:00:00Z"));
    await page.goto(`${server.url}${path}`);
    const dispose = async (): Promise<void> => {
      await context.close();
      await server.close();
      expect(errors).toEqual([]);
    };
    return { page, [Symbol.asyncDispose]: dispose };
  }

  let published: Awaited<ReturnType<typeof publish>>;
  let providers: readonly Provider[];
  beforeAll(async () => {
    published = await publish();
    providers = published.providers;
  });
  afterAll(() => published?.[Symbol.asyncDispose]());

  test("shows what shuts down from today on, and what has shut down since", async () => {
    await using opened = await open();
    expect(await models(opened.page, "#upcoming")).toEqual(["soon-1", "next-1", "late-1"]);
    expect(await models(opened.page, "#past")).toEqual(["ended-1", "old-1"]);
    expect(await models(opened.page, "#undated")).toEqual(["open-1"]);
    expect(await opened.page.locator("#upcoming .distance").allTextContents()).toEqual([
      "tomorrow",
      "in 25 days",
      "in 6 months",
    ]);
  });

  test("is accessible by axe's rules in light and dark, also where a day has several models", async () => {
    await using crowded = await publish([
      { model_id: "next-a", shutdown_date: "2026-12-15" },
      { model_id: "next-b", shutdown_date: "2026-12-15" },
    ]);
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await open({ colorScheme, bypassCSP: true }, "/", crowded.path);
      expect(await opened.page.locator(".point:not(:empty)").allTextContents()).toEqual(["3"]);
      expect(await accessibilityViolations(opened.page)).toEqual([]);
    }
  });

  test("shows the list without JavaScript", async () => {
    await using opened = await open({ javaScriptEnabled: false });
    expect((await models(opened.page, "main")).sort()).toEqual([
      "ended-1",
      "late-1",
      "next-1",
      "old-1",
      "open-1",
      "soon-1",
    ]);
    expect(await opened.page.locator("#filters").isVisible()).toBe(false);
  });

  test("can be searched by words anywhere, and the URL contains the search", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel("Search").fill("bolt  -1");
    expect(await models(page, "main")).toEqual(["next-1", "late-1"]);
    expect(await page.locator("#found").textContent()).toBe("2 models");
    await page.getByLabel("Search").fill("successor-9");
    expect(await models(page, "main")).toEqual(["soon-1"]);
    expect(new URL(page.url()).search).toBe("?q=successor-9");
    await page.getByLabel("Search").fill("nothing like it");
    expect(await page.locator("#none").isVisible()).toBe(true);
    expect(await page.locator("#timeline").isVisible()).toBe(false);
  });

  test("can be searched by date", async () => {
    await using opened = await open();
    await opened.page.getByLabel("Search").fill("2026-12");
    expect(await models(opened.page, "main")).toEqual(["next-1"]);
  });

  test("shows only my models, with their own feeds, calendar and URL", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel("My models").fill("next-1, openai/soon-1, unheard-of");
    expect(await models(page, "main")).toEqual(["soon-1", "next-1"]);
    expect(new URL(page.url()).search).toBe("?model=next-1&model=openai%2Fsoon-1&model=unheard-of");
    const calendar = await page.locator("#own-calendar").getAttribute("href");
    expect(calendar).toBe("v1/calendar.ics?model=next-1&model=openai%2Fsoon-1&model=unheard-of");
    await reload(page);
    expect(await models(page, "main")).toEqual(["soon-1", "next-1"]);
  });

  test("opens the view of its URL, and is filtered by provider", async () => {
    await using opened = await open({}, "/?provider=bolt&q=late");
    const { page } = opened;
    expect(await models(page, "main")).toEqual(["late-1"]);
    await page.getByLabel("Provider").selectOption("Acme");
    await page.getByLabel("Search").fill("");
    expect(new URL(page.url()).search).toBe("?provider=acme");
    expect(await models(page, "#upcoming")).toEqual(["soon-1"]);
  });

  test("has a timeline with a lane per provider, whose marks link to the list", async () => {
    await using opened = await open();
    const { page } = opened;
    expect(await page.locator(".lane .name").allTextContents()).toEqual(["Acme", "Bolt"]);
    const mark = page.getByRole("link", { name: "Bolt, 2026-12-15, in 25 days: next-1" });
    await mark.click();
    expect(new URL(page.url()).hash).toBe("#bolt:next-1");
    expect(await page.locator(":target h3 code").textContent()).toBe("next-1");
    expect(await page.locator(":target").boundingBox()).toMatchObject({ y: expect.any(Number) });
  });

  test("says which page could not be read recently", async () => {
    await using stale = await publish();
    stale.site.pages.set("/acme", "");
    await stale.build("2026-11-19");
    await using opened = await open({}, "/", stale.path);
    const status = opened.page.getByRole("status").filter({ hasText: "Could not be read" });
    await status.waitFor();
    expect(await status.textContent()).toContain("Acme (last on 2026-11-18)");
  });

  test("fits a phone: only the timeline scrolls sideways", async () => {
    await using opened = await open({ viewport: { width: 360, height: 740 }, isMobile: true });
    const width = await opened.page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBe(360);
    expect(await opened.page.getByLabel("Search").isVisible()).toBe(true);
  });
});

/** The ids visible in a part of the page. */
const models = (page: Page, part: string): Promise<string[]> =>
  page.locator(`${part} .notices > li:visible h3 code`).allTextContents();

/** Two providers' pages, read on 18 November 2026. */
/** @param more rows of the second provider */
async function publish(more: readonly Partial<Notice>[] = []) {
  const site = await startPageSite();
  const row = (model_id: string, shutdown_date: string, rest: Partial<Notice> = {}) => ({
    model_id,
    shutdown_date,
    ...rest,
  });
  site.pages.set(
    "/acme",
    deprecationPage(
      row("soon-1", "2026-11-21", { replacement_models: ["successor-9"] }),
      row("ended-1", "2026-11-19"),
      row("old-1", "2025-01-01"),
      row("open-1", "", { shutdown_text: "not sooner than May 2027" }),
    ),
  );
  site.pages.set(
    "/bolt",
    deprecationPage(row("late-1", "2027-05-20"), row("next-1", "2026-12-15"), ...more),
  );
  const folder = await temporaryFolder();
  const { path } = folder;
  const providers = [testProvider(site, "acme"), testProvider(site, "bolt")];
  const build = (day: string) =>
    buildFeed({ providers, output: path, base_url: "http://x/", now: new Date(day) });
  await build("2026-11-18");
  const dispose = async (): Promise<void> => {
    await site.close();
    await folder.remove();
  };
  return { site, path, providers, build, [Symbol.asyncDispose]: dispose };
}
