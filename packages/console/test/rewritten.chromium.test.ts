import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { copiedStep, viewCopy } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("rewritten histories in a browser");
const task = {
  role: "user",
  content: "Fix the clock, which shows sixty, and run all of its tests.",
};
const said = (content: string): object => ({ role: "assistant", content });

describe.skipIf(isSkipped)("rewritten histories in Chromium", () => {
  test("a rewritten history is marked, and can be shown from where it differs", async () => {
    await using console = await viewCopy((copy) => {
      copy.addStep(copiedStep("edited", 1, [task, said("The first answer.")]));
      copy.addStep(copiedStep("edited", 2, [task, said("The first, rewritten."), task]));
    });
    const page = await console.open("#/sessions/edited");
    const second = page.getByRole("article", { name: "Step 2" });
    await second.getByText("match step 1").waitFor();
    await second.getByRole("button", { name: "Show what differs" }).click();
    await second.getByText("1 message unchanged, then").waitFor();
    await second.getByText("The first, rewritten.").waitFor();
    expect(await second.locator(".message").count()).toBe(2);
    expect(console.complaints).toEqual([]);
  });
});
