import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("tokens in a browser");

describe.skipIf(isSkipped)("the tokens of a session in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage((sample) => writeSampleJob(sample, "nightly", 200));
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("sequences have masks, logprobs and versions, and say why they begin", async () => {
    const page = await console.open("#/sessions/nightly-6");
    await page.getByRole("link", { name: "Tokens" }).click();
    const first = page.getByRole("region", { name: "Sequence 1" });
    await first.getByText("7 tokens, 3 trained").waitFor();
    await page.getByText("303 captured = 303 delivered + 0 masked + 0 dropped").waitFor();
    const second = page.getByRole("region", { name: "Sequence 2" });
    expect(await second.textContent()).toMatch(
      /policy\/3: history_rewritten.*compared with policy\/2, from token 3.*expected 1 2 3 10 11 4 12, got 1 2 3 98 99 4/s,
    );
    await first.locator("summary", { hasText: "completion" }).first().click();
    const rows = first.locator("tbody tr");
    await expect
      .poll(() => rows.allTextContents())
      .toEqual(["3101-0.2500step-42", "4111-0.5000step-42"]);
    await second.locator("summary", { hasText: "completion" }).click();
    await second.getByRole("button", { name: "100 more" }).click();
    await expect.poll(() => second.locator("tbody tr").count()).toBe(300);
    await page.context().close();
  });

  test("a session without token ids says so, and what happened to each step", async () => {
    const page = await console.open("#/tokens/nightly-3");
    await page.getByText("No step has token ids.").waitFor();
    await page.getByText("4 steps not fully trained on").click();
    await page.getByText("aborted").waitFor();
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
