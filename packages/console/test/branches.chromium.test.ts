import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { branchingTurns, repairTurns } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("branches in a browser");

describe.skipIf(isSkipped)("the branches of a session in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await sample.converse("branching", branchingTurns("The clock shows 60."));
      await sample.converse("retried", repairTurns("The clock shows 60."));
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("forks, subagents and side calls form a tree, and each can be shown alone", async () => {
    const page = await console.open("#/sessions/branching", {
      viewport: { width: 1440, height: 900 },
    });
    const tree = page.getByRole("navigation", { name: "Branches" });
    await tree.getByRole("link", { name: /^Subagent read 1 call, after step 4/ }).waitFor();
    expect(await tree.getByRole("link").allTextContents()).toEqual([
      "Everything by time 8 calls",
      "Main 3 calls",
      "Side call title 1 call, after step 1",
      "Subagent explore 2 calls, after step 1",
      "Subagent read 1 call, after step 4",
      "Fork 1 call, after step 6",
    ]);
    await tree.getByRole("link", { name: /^Fork/ }).click();
    const steps = page.locator("article");
    const names = (): Promise<(string | null)[]> =>
      steps.evaluateAll((articles) => articles.map((article) => article.ariaLabel));
    await expect.poll(names).toEqual(["Step 1", "Step 6", "Step 8"]);
    await page.getByText("The test now expects sixty").waitFor();
    await page.reload();
    await expect.poll(names).toEqual(["Step 1", "Step 6", "Step 8"]);
    await page.keyboard.press("t");
    await tree.waitFor({ state: "detached" });
    await page.context().close();
  });

  test("on a phone the tree opens on demand", async () => {
    const page = await console.open("#/sessions/retried", {
      viewport: { width: 390, height: 800 },
    });
    const button = page.getByRole("button", { name: "2 branches" });
    await button.waitFor();
    const tree = page.getByRole("navigation", { name: "Branches" });
    expect(await tree.count()).toBe(0);
    await button.click();
    await tree.getByRole("link", { name: "Retried 1 call, after step 2 1 failed" }).click();
    await page.locator("article.failed", { hasText: "Step 3" }).waitFor();
    await expect.poll(() => page.locator("article").count()).toBe(3);
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
