import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("the console's keys in a browser");

describe.skipIf(isSkipped)("the console's keys in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage((sample) => writeSampleJob(sample, "nightly", 200));
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("steps are visited and inspected by keyboard alone", async () => {
    const page = await console.open("#/sessions/nightly-3");
    await page.getByRole("article", { name: "Step 4", exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.locator("article.current[aria-label='Step 2']").waitFor();
    await page.keyboard.press("Enter");
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByRole("heading", { name: "Step 2" }).waitFor();
    await page.keyboard.press("k");
    await inspector.getByRole("heading", { name: "Step 1" }).waitFor();
    await page.keyboard.press("Escape");
    await inspector.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.locator("article.current[aria-label='Step 4']").waitFor();
    await page.context().close();
  });

  test("Enter activates whatever has the focus", async () => {
    const page = await console.open("#/sessions/nightly-3");
    await page.getByRole("article", { name: "Step 4", exact: true }).waitFor();
    await page.getByRole("button", { name: "Open all" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("article details:not([open])").count()).toBe(0);
    expect(await page.getByRole("complementary").count()).toBe(0);
    await page.context().close();
  });

  test("an open dialog gets all keys, and gives them back when it closes", async () => {
    const page = await console.open("#/sessions/nightly-3");
    await page.locator("article.current[aria-label='Step 1']").waitFor();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Help" });
    await help.getByText("next error").waitFor();
    expect(await help.getByRole("heading", { name: "Keys" }).isVisible()).toBe(true);
    await page.keyboard.press("j");
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.locator("article.current[aria-label='Step 1']").waitFor();
    await page.keyboard.press("j");
    await page.locator("article.current[aria-label='Step 2']").waitFor();
    await page.context().close();
  });

  test("jobs, simulations and failures are reached by keyboard", async () => {
    const page = await console.open("#/jobs");
    await page.locator("a.entry").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator("a.cell").nth(15).waitFor();
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    const focused = (): Promise<string | null> => page.locator(":focus").getAttribute("aria-label");
    expect(await focused()).toContain("task-0-0");
    await page.keyboard.press("n");
    expect(await focused()).toContain("failed");
    await page.context().close();
  });

  test("the focus is visible, also in the menu of actions", async () => {
    const page = await console.open("#/sessions/nightly-3");
    await page.getByRole("article", { name: "Step 4", exact: true }).waitFor();
    const menu = page.getByText("Actions");
    await menu.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const first = page.getByRole("button", { name: "Export …" });
    expect(await first.evaluate((button) => button.matches(":focus-visible"))).toBe(true);
    const outline = "getComputedStyle(document.activeElement).outlineStyle";
    expect(await page.evaluate(outline)).toBe("solid");
    await page.keyboard.press("Escape");
    await first.waitFor({ state: "hidden" });
    expect(await menu.evaluate((summary) => summary.matches(":focus"))).toBe(true);
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
