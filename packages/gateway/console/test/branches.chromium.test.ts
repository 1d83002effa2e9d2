import { isLeftOutWithoutChromium, reload } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repairTurns, writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("branches in a browser");

describe.skipIf(isSkipped)("the branches of a session in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await writeSampleJob(sample, "nightly", 200);
      const [first, second] = repairTurns("The clock shows 60.");
      const all = [first, second].flatMap((turn) => turn?.added ?? []);
      if (first !== undefined && second !== undefined)
        await sample.converse("restarted", [first, { ...second, added: all, from: null }]);
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("forks, subagents and side calls form a tree, and each can be shown alone", async () => {
    const page = await console.open("#/sessions/nightly-4", {
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
    await reload(page);
    await expect.poll(names).toEqual(["Step 1", "Step 6", "Step 8"]);
    await page.keyboard.press("t");
    await tree.waitFor({ state: "detached" });
    await page.context().close();
  });

  test("a conversation goes on where the gateway stored it whole, as after a restart", async () => {
    const page = await console.open("#/sessions/restarted");
    const second = page.getByRole("article", { name: "Step 2" });
    await second.getByText("unchanged since step 1").waitFor();
    await second.getByText("bash returns").waitFor();
    expect(await second.textContent()).not.toContain("You fix code");
    expect(await page.getByRole("button", { name: /branches/ }).count()).toBe(0);
    await page.context().close();
  });

  test("what was retried, replayed and refused is marked, in the tree and in the session", async () => {
    const viewport = { width: 1440, height: 900 };
    const page = await console.open("#/sessions/nightly-5", { viewport });
    const tree = page.getByRole("navigation", { name: "Branches" });
    await tree.getByRole("link", { name: "Main 3 calls, 1 retry, 1 replayed" }).waitFor();
    await tree.getByRole("link", { name: "Retried 1 call, after step 2, 1 failed" }).waitFor();
    const step = (number: number) => page.getByRole("article", { name: `Step ${number}` });
    await step(1).getByText("replayed from step 1 of nightly-4").waitFor();
    await step(3).getByText("retried as step 4").waitFor();
    await step(4).getByText("retry of step 3").waitFor();
    await page.goto(`${console.url}#/sessions/nightly-4`);
    await step(2).getByText("side call title").waitFor();
    await step(3).getByText("explore").first().waitFor();
    await page.goto(`${console.url}#/sessions/nightly-7`);
    await step(3).locator(".refusal").getByText("I do not push without a test.").waitFor();
    await page.context().close();
  });

  test("on a phone the tree opens on demand", async () => {
    const page = await console.open("#/sessions/nightly-3", {
      viewport: { width: 390, height: 800 },
    });
    const button = page.getByRole("button", { name: "2 branches" });
    await button.waitFor();
    const tree = page.getByRole("navigation", { name: "Branches" });
    expect(await tree.count()).toBe(0);
    await button.click();
    await tree.getByRole("link", { name: "Retried 1 call, after step 2, 1 failed" }).click();
    await page.locator("article.failed[aria-label='Step 3']").waitFor();
    await expect.poll(() => page.locator("article").count()).toBe(3);
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
