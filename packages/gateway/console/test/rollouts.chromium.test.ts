import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("rewards and numbers in a browser");

describe.skipIf(isSkipped)("rewards and numbers in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await writeSampleJob(sample, "first", 24);
      await writeSampleJob(sample, "second", 40);
      const comment = "It repaired the clock. <img src=x onerror=alert(1)>";
      sample.score({
        ...{ session_id: "first-9", name: "tidy", author: "judge:strict", value: 0.5, comment },
      });
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("a session says on top where its reward came from, and its neighbours are one key away", async () => {
    const page = await console.open("#/sessions/first-9");
    const head = page.locator("header.head");
    const scores = head.getByRole("list", { name: "Scores" });
    await scores.getByText("tidy 0.5").waitFor();
    await scores.getByText("by judge:strict").waitFor();
    await scores.getByText("It repaired the clock. <img src=x").waitFor();
    await head.getByText("the clock shows 60").first().waitFor();
    const others = head.getByRole("navigation", { name: "Other rollouts" });
    expect(await others.getByRole("link", { name: /^task-1-\d, / }).count()).toBe(7);
    await page.keyboard.press("l");
    await page.getByRole("heading", { name: "task-1-2" }).waitFor();
    await others.getByRole("link", { name: "next (l) →" }).waitFor();
    await page.keyboard.press("h");
    await page.getByRole("heading", { name: "task-1-1" }).waitFor();
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
