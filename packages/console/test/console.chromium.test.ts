import { accessibilityViolations, isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeHostileSession, writeLongSession } from "./sample-extremes.ts";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("the console in a browser");

describe.skipIf(isSkipped)("the console in Chromium", () => {
  let console: ViewedConsole;
  let url: string;
  const open: ViewedConsole["open"] = (...given) => console.open(...given);

  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await writeSampleJob(sample, "nightly", 200);
      await writeHostileSession(sample, "hostile");
      await writeLongSession(sample, "long", 1_500);
    });
    url = console.url;
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("every view is accessible and fits phones and screens, light and dark", async () => {
    const views = [
      ["#/sessions", "a.entry"],
      ["#/sessions/nightly-3", "article .answer"],
      ["#/sessions/nightly-4?branch=fork", "article .answer"],
      ["#/jobs", "a.entry"],
      ["#/jobs/nightly", "a.cell"],
    ] as const;
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open("", { colorScheme });
      for (const [place, shown] of views) {
        await page.goto(url + place);
        await page.locator(shown).first().waitFor();
        for (const width of [390, 820, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          const scrolled = await page.evaluate("document.documentElement.scrollWidth");
          expect([place, width, scrolled]).toEqual([place, width, width]);
        }
        expect([place, await accessibilityViolations(page)]).toEqual([place, []]);
      }
      await page.keyboard.press("?");
      await page.locator("dialog").waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.context().close();
    }
  });

  test("finds sessions by filters that the URL keeps, and opens one by keyboard", async () => {
    const page = await open("#/sessions");
    await page.locator("a.entry").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("job:nightly tool:edit reward<0.25");
    await expect.poll(() => page.url()).toContain("reward%3C0.25");
    const rewards = page.locator("td[data-name='reward']");
    await expect.poll(async () => new Set(await rewards.allTextContents())).toEqual(new Set(["0"]));
    await page.reload();
    await expect.poll(async () => new Set(await rewards.allTextContents())).toEqual(new Set(["0"]));
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const second = page.locator("a.entry").nth(1);
    expect(await second.evaluate((link) => link.matches(":focus"))).toBe(true);
    const session_id = await second.textContent();
    await page.keyboard.press("Enter");
    await page.locator("h2", { hasText: session_id ?? "" }).waitFor();
    await page.context().close();
  });

  test("every filter finds what it says", async () => {
    const page = await open("#/sessions");
    const search = page.getByRole("searchbox");
    const found = page.locator("a.entry");
    const finds = async (typed: string, session_id: string): Promise<void> => {
      await search.fill(typed);
      await found.filter({ hasText: session_id }).first().waitFor();
    };
    const findsNothing = async (typed: string): Promise<void> => {
      await search.fill(typed);
      await page.getByText("No session fits.").waitFor();
    };
    await finds("model:policy group:task-3 job:nightly", "nightly-24");
    await finds("code:502 error:overloaded job:nightly", "nightly-199");
    await finds('tool:grep "sixtieth"', "nightly-196");
    await finds("reward>=1 group:task-3", "nightly-31");
    await findsNothing("model:other");
    await findsNothing("error:never-said");
    await findsNothing("status:active");
    await findsNothing("reward>1");
    await page.keyboard.press("Escape");
    expect(await search.evaluate((field) => field.matches(":focus"))).toBe(false);
    await page.context().close();
  });

  test("looks further back, and says where nothing fits", async () => {
    const page = await open("#/sessions?q=job:nightly");
    await expect.poll(() => page.locator("a.entry").count()).toBe(50);
    await page.getByRole("button", { name: "Look further back" }).click();
    await expect.poll(() => page.locator("a.entry").count()).toBeGreaterThan(90);
    await page.goto(`${url}#/sessions?q=never-said`);
    await page.getByText("No session fits.").waitFor();
    await page.context().close();
  });

  test("shows a session as a conversation in which only what is new is open", async () => {
    const page = await open("#/sessions/nightly-3");
    const steps = page.locator("article");
    await expect.poll(() => steps.count()).toBe(4);
    await steps.nth(0).locator("img.image").waitFor();
    await steps.nth(0).getByText("calls bash").waitFor();
    const second = steps.nth(1);
    expect(await second.locator(".prefix").textContent()).toMatch(/as in step 1, unchanged/);
    expect(await second.textContent()).not.toContain("You mend code");
    expect(
      await second.locator("details", { hasText: "bash answers" }).getAttribute("open"),
    ).toBeNull();
    await steps.nth(3).getByText("retry of step 3").waitFor();
    await steps.nth(3).getByRole("list", { name: "Sources" }).getByText("RFC 3339").waitFor();
    await page.keyboard.press("e");
    await expect.poll(() => page.locator("article details:not([open])").count()).toBe(0);
    await page.keyboard.press("n");
    await page.locator("article.current.failed").waitFor();
    expect(page.url()).toMatch(/step=\d+/);
    await page.keyboard.press("k");
    await page.locator("article.current", { hasText: "Step 2" }).waitFor();
    await page.context().close();
  });

  test("inspects a step as it was sent, copies it, and is left by Escape", async () => {
    const page = await open("#/sessions/nightly-3", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("button", { name: "Inspect Step 2" }).click();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByText('"model": "policy"').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await inspector.getByRole("button", { name: "Copy as curl" }).click();
    await inspector.getByText("Copied").waitFor();
    const curl = String(await page.evaluate("navigator.clipboard.readText()"));
    const body = JSON.parse(
      /--data-binary '(.*)'$/s.exec(curl)?.[1]?.replaceAll(String.raw`'\''`, "'") ?? "",
    );
    expect(body).toMatchObject({
      model: "policy",
      messages: [{ role: "system" }, { role: "user" }, {}, {}],
    });
    await inspector.getByRole("tab", { name: "Facts" }).click();
    await inspector.getByText("finish_reason").waitFor();
    await page.keyboard.press("Escape");
    await inspector.waitFor({ state: "detached" });
    await page.context().close();
  });

  test("only what is seen of a long session is in the document", async () => {
    const page = await open("#/sessions/long");
    await page.getByText("1,500 calls").waitFor();
    expect(await page.locator("article").count()).toBeLessThan(40);
    await page.keyboard.press("g");
    await page.locator("article", { hasText: "Step 1,500" }).waitFor();
    await page.locator("article", { hasText: "Turn 1500 is done." }).waitFor();
    expect(await page.locator("article").count()).toBeLessThan(40);
    await page.context().close();
  });

  test("shows a job as a grid by reward, its groups without variance and its failures", async () => {
    const page = await open("#/jobs");
    await page.getByRole("link", { name: "nightly" }).click();
    await expect.poll(() => page.locator("a.cell").count()).toBe(200);
    expect(await page.locator("section.uniform").count()).toBeGreaterThan(0);
    await page
      .getByRole("region", { name: "Failures by cause" })
      .getByText("agent_failed")
      .first()
      .waitFor();
    await page.keyboard.press("n");
    expect(await page.evaluate("document.activeElement.className")).toContain("failed");
    await page.keyboard.press("Enter");
    await page.getByText("the command ended with exit code 1").waitFor();
    await page.context().close();
  });

  test("only ever displays what agents wrote", async () => {
    const page = await open("#/sessions/hostile");
    await page.locator("article", { hasText: "Step 5" }).waitFor();
    await page.keyboard.press("e");
    const text = page.locator("#main");
    await text.getByText("<script>document.title").first().waitFor();
    expect(await text.textContent()).toContain("␛[31m");
    expect(await text.textContent()).toContain("⟨U+202E⟩");
    await text.getByText("An image that is not loaded: https://tracker.example/").waitFor();
    await text.getByText("too large to read here").first().waitFor();
    await page.getByRole("button", { name: "Inspect Step 5" }).click();
    await page.getByRole("tab", { name: "Response" }).click();
    await page.getByRole("button", { name: /more/ }).last().waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await page.goto(`${url}#/sessions`);
    await page.locator("a.entry").first().waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
