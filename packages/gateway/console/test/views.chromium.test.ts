import { isLeftOutWithoutChromium, pageFaults } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeHostileSession } from "./sample-extremes.ts";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("every view of the console in a browser");

/** Each view, and what is in it once it is loaded. */
const views = {
  lists: [
    ["#/sessions", "a.entry"],
    ["#/sessions?q=never-said", "text=No session matches."],
    ["#/jobs", "a.entry"],
    ["#/nowhere", ".notice"],
  ],
  sessions: [
    ["#/sessions/nightly-3", "article .answer"],
    ["#/sessions/nightly-4?branch=fork", "article .answer"],
    ["#/sessions/nightly-5", "article .answer"],
    ["#/sessions/nightly-7", "article .refusal"],
    ["#/sessions/hostile", "article .answer"],
    ["#/sessions/not-there", "text=Nothing is recorded"],
    ["#/tokens/nightly-6", ".span"],
    ["#/tokens/nightly-3", ".empty"],
    ["#/tools/nightly-3", "td"],
  ],
  jobs: [
    ["#/jobs/nightly", "a.cell"],
    ["#/compare?s=nightly-0&s=nightly-1&s=nightly-4", "tr.differs"],
    ["#/compare", ".empty"],
    ["#/jobs/nightly?show=table", "td"],
    ["#/tools?job=nightly", "td"],
    ["#/report?job=nightly", "td"],
    ["#/report?job=nightly&rows=simulations", "td"],
    ["#/report?job=nightly&against=before", "td"],
  ],
} as const;
const cases = (["light", "dark"] as const).flatMap((colorScheme) =>
  (["lists", "sessions", "jobs"] as const).map((group) => ({ colorScheme, group })),
);
const widths = [360, 820, 1440];

describe.skipIf(isSkipped)("every view of a job of 48 simulations in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await writeSampleJob(sample, "nightly", 48);
      await writeSampleJob(sample, "before", 8);
      await writeHostileSession(sample, "hostile");
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test.each(cases)(
    "the views of $group are accessible and fit phones and screens in the $colorScheme scheme",
    async ({ colorScheme, group }) => {
      const page = await console.open("", { colorScheme });
      for (const [place, shown] of views[group]) {
        await page.goto(console.url + place);
        await page.locator(shown).first().waitFor();
        expect([place, ...(await pageFaults(page, widths))]).toEqual([place]);
      }
      await page.context().close();
    },
  );

  test.each(["light", "dark"] as const)(
    "the inspector, the menu and the help are accessible in the %s scheme",
    async (colorScheme) => {
      const page = await console.open("#/sessions/nightly-3", { colorScheme });
      await page.getByRole("button", { name: "Inspect Step 2" }).click();
      const inspector = page.getByRole("complementary", { name: "Inspector" });
      for (const tab of ["Request", "Response", "Facts"]) {
        await inspector.getByRole("tab", { name: tab }).click();
        await inspector
          .getByText(tab === "Facts" ? "finish_reason" : '"role"')
          .first()
          .waitFor();
        expect([tab, ...(await pageFaults(page, widths))]).toEqual([tab]);
      }
      await page.keyboard.press("Escape");
      await page.getByText("Actions").click();
      expect(["actions", ...(await pageFaults(page, widths))]).toEqual(["actions"]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Help" }).click();
      await page.getByRole("dialog", { name: "Help" }).waitFor();
      expect(["help", ...(await pageFaults(page, widths))]).toEqual(["help"]);
      await page.context().close();
    },
  );

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
