import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { jobPage, storagePage } from "@proj/console";
import { temporaryFolder } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { writeHostileSession } from "./sample-extremes.ts";
import { writeSampleJob } from "./sample-job.ts";
import { type SampleStore, sampleStore } from "./sample-store.ts";

const isSkipped = isLeftOutWithoutChromium("the console as one file in a browser");

/** Writes a page to disk and opens it there. */
async function openFile(write: (sample: SampleStore) => Promise<string>) {
  await using sample = await sampleStore();
  const folder = await temporaryFolder();
  const file = join(folder.path, "page.html");
  await writeFile(file, await write(sample));
  const url = pathToFileURL(file).href;
  const browser = await watchBrowser(url);
  return {
    ...browser,
    url,
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(isSkipped)("the console as one file in Chromium", () => {
  test("a job opens from disk with its sessions, comparisons and requests", async () => {
    await using browser = await openFile(async (sample) => {
      await writeSampleJob(sample, "nightly", 16);
      await writeSampleJob(sample, "other", 1);
      return jobPage(sample.store.browser, "nightly");
    });
    const page = await browser.open("");
    expect(await page.locator("nav").first().textContent()).toBe("SessionsJobs");
    await expect.poll(() => page.locator("a.cell").count()).toBe(16);
    await page.getByText(/K → 1\.\dK tokens/).waitFor();
    await page.getByRole("link", { name: "Tools" }).click();
    await page.locator("td", { hasText: "bash" }).waitFor();
    await page.goBack();
    await page.getByRole("region", { name: "task-1" }).getByText("side by side").click();
    await page.getByText("First divergence, after 1 action").waitFor();
    await page.getByRole("columnheader").locator('a[title="nightly-8"]').click();
    await page.getByRole("article", { name: "Step 4", exact: true }).waitFor();
    await page.getByRole("button", { name: "Inspect Step 4" }).click();
    await page.locator(".inspected").getByText("1 replacement").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.getByText("Actions").count()).toBe(0);
    expect(browser.complaints).toEqual([`asked for ${browser.url}`]);
  });

  test("what agents wrote is only ever displayed", async () => {
    await using browser = await openFile(async (sample) => {
      await writeHostileSession(sample, "</script><script>window.hacked=1</script>");
      return storagePage(sample.store.browser);
    });
    const page = await browser.open("#/sessions");
    await page.getByRole("link", { name: "<script>window.hacked=1" }).click();
    await page.getByRole("article", { name: "Step 5", exact: true }).waitFor();
    const text = page.locator("#main");
    await text.getByText("<script>document.title").first().waitFor();
    expect(await text.textContent()).toContain("␛[31m");
    expect(await text.textContent()).toContain("⟨U+202E⟩");
    await text.getByText("Image not loaded: https://tracker.example/").waitFor();
    await page.getByRole("button", { name: "Inspect Step 5" }).click();
    await page.getByRole("tab", { name: "Response" }).click();
    await page.getByText(/^1\d\.\d MB, too large for this file\.$/).waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.title()).not.toBe("hacked");
    expect(browser.complaints).toEqual([`asked for ${browser.url}`]);
  });
});
