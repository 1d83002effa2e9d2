import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openExport, storagePage } from "@proj/console";
import { temporaryFolder } from "@proj/test-kit";
import { isLeftOutWithoutChromium, watchBrowser } from "@proj/test-kit/chromium";
import { describe, expect, onTestFinished, test } from "vitest";
import { copiedStep, viewCopy } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("roles and dates from data in a browser");
/** Classes of the page's own style sheet: some hide what has them. */
const roles = ["hidden", "skip", "bar", "bad", "assistant hidden", "__proto__"];

describe.skipIf(isSkipped)("names and dates from data in Chromium", () => {
  test("a role is shown, and is not a class of the page", async () => {
    const messages = roles.map((role) => ({ role, content: `said by ${role}` }));
    await using console = await viewCopy((copy) => copy.addStep(copiedStep("s", 1, messages)));
    const page = await console.open("#/sessions/s");
    for (const role of roles) {
      const shown = page
        .locator(".message")
        .filter({ hasText: `said by ${role}` })
        .first();
      await shown.waitFor({ timeout: 10_000 });
      expect(await shown.getAttribute("class")).toBe("message");
    }
    await page.context().close();
  });

  test("a date that cannot be read is shown as unknown, in every view", async () => {
    const step = {
      ...copiedStep("s", 1, [{ role: "user", content: "hello" }]),
      created_at: "soon",
    };
    await using console = await viewCopy((copy) => copy.addStep(step));
    for (const place of ["#/sessions", "#/sessions/s"]) {
      const page = await console.open(place);
      await page
        .locator("#main")
        .getByText("unknown time")
        .or(page.getByText("hello"))
        .first()
        .waitFor();
      await page.context().close();
    }
  });

  test("the tokens of a file that holds none are none", async () => {
    await using folder = await temporaryFolder();
    const [steps, html] = ["steps.jsonl", "page.html"].map((name) => join(folder.path, name));
    const { request_id: _, ...step } = copiedStep("s", 1, [{ role: "user", content: "hello" }]);
    await writeFile(steps ?? "", `${JSON.stringify(step)}\n`);
    await using opened = await openExport(steps ?? "", new AbortController().signal);
    await writeFile(html ?? "", await storagePage(opened.store.browser));
    const browser = await watchBrowser(pathToFileURL(html ?? "").href);
    onTestFinished(() => browser[Symbol.asyncDispose]());
    const page = await browser.open("#/tokens/s");
    await page.locator("#main").getByText(/\S/).first().waitFor();
    expect(await page.evaluate("1 + 1")).toBe(2);
  });
});
