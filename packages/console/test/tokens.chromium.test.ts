import { accessibilityViolations, isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repairTurns } from "./sample-job.ts";
import type { Turn } from "./sample-store.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

/** A turn as vLLM answers it when it is asked for token ids. */
function sampled(
  content: string,
  prompt_token_ids: readonly number[],
  token_ids: readonly number[],
): Turn {
  const message = { role: "assistant", content };
  const logprobs = { content: token_ids.map((_, index) => ({ logprob: -0.25 * (index + 1) })) };
  const response = { prompt_token_ids, choices: [{ index: 0, message, token_ids, logprobs }] };
  return {
    added: [{ role: "user", content: "Go on." }],
    answer: message,
    meta: { weight_version: "step-42" },
    changes: { response: new TextEncoder().encode(JSON.stringify(response)) },
  };
}

const isSkipped = isLeftOutWithoutChromium("tokens in a browser");

describe.skipIf(isSkipped)("the tokens of a session in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await sample.converse("sampled", [
        sampled("One.", [1, 2, 3], [10, 11]),
        sampled("Two.", [1, 2, 3, 10, 11, 4], [12]),
        sampled(
          "Three.",
          [1, 2, 3, 98, 99, 4],
          Array.from({ length: 300 }, (_, id) => id),
        ),
      ]);
      await sample.converse("without", repairTurns("The clock shows 60."));
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("sequences have masks, logprobs and versions, and say why they begin", async () => {
    const page = await console.open("#/sessions/sampled");
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

  test("says where there are no tokens, and what became of each step", async () => {
    const page = await console.open("#/tokens/without");
    await page.getByText("No step has token ids.").waitFor();
    await page.getByText("4 steps are not, or not wholly").click();
    await page.getByText("aborted").waitFor();
    await page.context().close();
  });

  test("it is accessible and fits phones and screens, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await console.open("#/tokens/sampled", { colorScheme });
      await page.locator("summary", { hasText: "completion" }).first().click();
      await page.locator("tbody tr").first().waitFor();
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      }
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.context().close();
    }
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
