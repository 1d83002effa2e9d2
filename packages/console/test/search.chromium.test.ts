import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { copiedStep, viewCopy } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("a search far back in a browser");
/** One request of the page looks at 40,000. */
const rows = 41_000;
const said = (content: string): object[] => [{ role: "user", content }];

describe.skipIf(isSkipped)("a search far back in Chromium", () => {
  test("it looks further back by itself until it finds something, or there is nothing left", async () => {
    await using console = await viewCopy((copy) => {
      copy.addStep(copiedStep("oldest", 1, said("a needle")));
      for (let row = 1; row < rows; row += 1)
        copy.addStep(copiedStep(`session-${row}`, 1, said("hay")));
    });
    const page = await console.open("#/sessions?q=needle");
    await page.getByRole("link", { name: "oldest" }).waitFor();
    await page.getByRole("searchbox").fill("never-said");
    await page.getByText("No session fits.").waitFor();
    expect(console.complaints).toEqual([]);
  });
});
