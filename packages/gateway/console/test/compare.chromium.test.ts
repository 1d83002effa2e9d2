import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("rollouts side by side in a browser");

describe.skipIf(isSkipped)("rollouts side by side in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage((sample) => writeSampleJob(sample, "nightly", 200));
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("a group is shown side by side, with what each does where they first differ", async () => {
    const page = await console.open("#/jobs/nightly", { viewport: { width: 1440, height: 900 } });
    const group = page.getByRole("region", { name: "task-0" });
    await group.getByRole("link", { name: "side by side" }).click();
    const table = page.getByRole("table", { name: /Rollouts side by side/ });
    await table.getByText("First divergence, after 1 action").waitFor();
    await page.getByText("6 rollouts, 1 of 5 actions the same").waitFor();
    const next = table.locator("tr.pinned td .tool");
    expect(await next.allTextContents()).toEqual(["edit", "grep", "edit", "edit", "says", "edit"]);
    expect(await table.locator("tr.same").textContent()).toContain("ls -la src");
    for (const key of ["j", "j", "k", "n"]) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await page.locator("article.current[aria-label='Step 2']").waitFor();
    expect(page.url()).toContain("#/sessions/nightly-1?step=");
    await page.context().close();
  });

  test("rollouts are chosen by keyboard, removed and added", async () => {
    const page = await console.open("#/jobs/nightly");
    await page.locator("a.cell").first().waitFor();
    for (const key of ["j", "x", "j", "x", "j", "x", "x"]) await page.keyboard.press(key);
    await page.getByText("2 simulations chosen").waitFor();
    await page.getByRole("link", { name: "Side by side", exact: true }).click();
    await page.getByText("2 rollouts").waitFor();
    await page.getByRole("searchbox").fill("nightly-4");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("3 rollouts").waitFor();
    await page
      .getByRole("link", { name: /^Remove task-0-/ })
      .first()
      .click();
    await page.getByText("2 rollouts").waitFor();
    await page.getByRole("searchbox").fill("not-there");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("Nothing is recorded for it.").waitFor();
    await page.context().close();
  });

  test("at most six rollouts are compared", async () => {
    const page = await console.open("#/jobs/nightly");
    await page.locator("a.cell").first().waitFor();
    for (let cell = 1; cell <= 7; cell += 1)
      for (const key of ["j", "x"]) await page.keyboard.press(key);
    await page.getByText("6 simulations chosen, the most that fit").waitFor();
    await page.getByRole("link", { name: "Side by side", exact: true }).click();
    await page.getByText(/^6 rollouts/).waitFor();
    await page.context().close();
  });

  test("rollouts are chosen by clicks, and forgotten", async () => {
    const page = await console.open("#/jobs/nightly");
    await page.getByRole("button", { name: "Choose to compare" }).click();
    await page.getByText("Click two to 6 simulations").waitFor();
    for (const cell of [0, 1, 2]) await page.locator("a.cell").nth(cell).click();
    await page.getByText("3 simulations chosen").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    for (const cell of [3, 4]) await page.locator("a.cell").nth(cell).click();
    await page.getByRole("link", { name: "Side by side", exact: true }).click();
    await page.getByRole("columnheader").locator('a[title="nightly-4"]').waitFor();
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
