import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { writeHostileJob } from "./sample-extremes.ts";
import { writeSampleJob } from "./sample-job.ts";
import { viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("a view that fails");

describe.skipIf(isSkipped)("a view that fails in Chromium", () => {
  test("tells why, leaves the rest of the page, and can be tried again", async () => {
    await using console = await viewStorage((sample) => writeHostileJob(sample, "s"));
    const page = await console.open("#/sessions");
    await page.locator("a.entry").first().waitFor();
    // Such as a row that no version of this page knows.
    await page.route("**/jobs?*", (route) => route.fulfill({ json: { jobs: [null], next: null } }));
    await page.route("**/jobs", (route) => route.fulfill({ json: { jobs: [null], next: null } }));
    await page.getByRole("link", { name: "Jobs" }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/This view cannot be shown: .*null/);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("a.entry").first().waitFor();
    expect(await alert.count()).toBe(0);
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.locator("a.entry").first().waitFor();
  });

  test("asks again for a part of the page and for an answer that fail on the way", async () => {
    await using console = await viewStorage((sample) => writeSampleJob(sample, "nightly", 8));
    const page = await console.open("#/sessions");
    await page.locator("a.entry").first().waitFor();
    const failed: string[] = [];
    for (const pattern of [/report-view/, /\/jobs\/nightly/])
      await page.route(
        pattern,
        async (route) => {
          failed.push(route.request().resourceType());
          await route.abort("connectionfailed");
        },
        { times: 1 },
      );
    await page.goto(`${console.url}#/report?job=nightly`);
    await page.locator("table.sorted tbody tr").first().waitFor();
    expect(failed).toEqual(["script", "fetch"]);
  });
});
