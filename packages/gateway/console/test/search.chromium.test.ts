import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { copiedStep, viewCopy } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("a search far back in a browser");
/** More than the 40,000 that one request of the page covers. */
const rows = 41_000;
const said = (content: string): object[] => [{ role: "user", content }];

describe.skipIf(isSkipped)("a search far back in Chromium", () => {
  test("a search goes further back on its own until it finds something or reaches the end", async () => {
    await using console = await viewCopy((copy) => {
      copy.addStep(copiedStep("oldest", 1, said("a needle")));
      for (let row = 1; row < rows; row += 1)
        copy.addStep(copiedStep(`session-${row}`, 1, said("hay")));
    });
    const page = await console.open("#/sessions?q=needle");
    await page.getByRole("link", { name: "oldest" }).waitFor();
    await page.getByRole("searchbox").fill("never-said");
    await page.getByText("No session matches.").waitFor();
    expect(console.complaints).toEqual([]);
  });
});
