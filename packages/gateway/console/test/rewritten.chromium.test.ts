import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { writeSampleJob } from "./sample-job.ts";
import { viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("rewritten histories in a browser");

describe.skipIf(isSkipped)("rewritten histories in Chromium", () => {
  test("a rewritten history is marked, and can be shown from where it differs", async () => {
    await using console = await viewStorage((sample) => writeSampleJob(sample, "nightly", 200));
    const page = await console.open("#/sessions/nightly-7");
    const third = page.getByRole("article", { name: "Step 3" });
    await third.getByText("match step 2").waitFor();
    await third.getByRole("button", { name: "Show what differs" }).click();
    await third.getByText("2 messages unchanged, then").waitFor();
    await third.getByText("So far: the clock shows 60").waitFor();
    await third.getByText("Push it to main").waitFor();
    expect(await third.locator(".message").count()).toBe(3);
    expect(console.complaints).toEqual([]);
  });
});
