import { isLeftOutWithoutChromium, reload } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostileName, writeHostileJob } from "./sample-extremes.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("hostile content in a browser");
const session_id = `session ${hostileName}`;
const [session, job] = [session_id, `job ${hostileName}`].map(encodeURIComponent);

/** Each view, and what shows the hostile name there. */
const views = [
  ["the table of sessions", "#/sessions", "a.entry"],
  ["a search", `#/sessions?q=${encodeURIComponent(hostileName)}`, "a.entry"],
  ["a session", `#/sessions/${session}`, "article .answer"],
  [
    "a branch",
    `#/sessions/${session}?branch=${encodeURIComponent(`subagent-${hostileName}`)}`,
    "article .tag",
  ],
  ["the table of jobs", "#/jobs", "a.entry"],
  ["a job", `#/jobs/${job}`, "a.cell"],
  ["a session's tokens", `#/tokens/${session}`, ".empty"],
  ["a comparison", `#/compare?s=${session}&s=nothing`, ".rollout"],
] as const;

/** Texts and labels of the page with characters that control a terminal or turn the direction of text. */
const harmful = `(() => {
  const texts = [document.title];
  for (const element of document.querySelectorAll("*")) {
    for (const name of ["title", "aria-label", "placeholder", "alt", "id", "class"])
      texts.push(element.getAttribute(name) ?? "");
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
  }
  return texts.filter((text) => /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]/.test(text));
})()`;

describe.skipIf(isSkipped)("what agents wrote is only ever displayed in Chromium", () => {
  let console: ViewedConsole;
  type Page = Awaited<ReturnType<ViewedConsole["open"]>>;
  beforeAll(async () => {
    console = await viewStorage((sample) => writeHostileJob(sample, session_id));
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  const step = (page: Page, number: number) =>
    page.getByRole("article", { name: `Step ${number}`, exact: true });
  const openStep = async (number: number): Promise<Page> => {
    const page = await console.open(`#/sessions/${session}`);
    // The row's id: the database has only this session.
    await page.goto(`${console.url}#/sessions/${session}?step=${number}`);
    await reload(page);
    await step(page, number).waitFor();
    return page;
  };

  test.each(views)("scripts, escapes and marks are text in %s", async (_name, place, shown) => {
    const page = await console.open(place, { viewport: { width: 1440, height: 900 } });
    await page.locator(shown).first().waitFor();
    await page.keyboard.press("e");
    const main = page.locator("#main");
    await main.getByText("<script>window.hacked").first().waitFor();
    await main.getByText("␛[31m⟨U+202E⟩").first().waitFor();
    expect(await page.evaluate(harmful)).toEqual([]);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.title()).not.toBe("hacked");
    await page.context().close();
  });

  test.each(["Request", "Response", "Facts"])(
    "scripts, escapes and marks are text in the inspector's tab %s",
    async (tab) => {
      const page = await openStep(6);
      await step(page, 6).getByRole("button", { name: "Inspect Step 6" }).click();
      await page.getByRole("tab", { name: tab }).click();
      const seen = tab === "Request" ? '"role": "user"' : "<script>";
      await page.locator(".inspected").getByText(seen).first().waitFor();
      expect(await page.evaluate(harmful)).toEqual([]);
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      await page.context().close();
    },
  );

  test("images that are elsewhere are named, not loaded", async () => {
    const page = await openStep(2);
    await step(page, 2).getByText("Image not loaded: https://tracker.example/").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await page.context().close();
  });

  test("a step of 10 MB is shown on demand, in parts", async () => {
    const page = await openStep(5);
    await step(page, 5).getByText("too large to show here").waitFor();
    await step(page, 5).getByRole("button", { name: "Show the answer" }).click();
    await page.getByRole("tab", { name: "Response" }).click();
    const inspected = page.locator(".inspected");
    await inspected.getByText(/^1\d\.\d MB$/).waitFor();
    const more = inspected.getByRole("button", { name: /^… 1\d\.\d MB more$/ });
    const before = (await inspected.textContent())?.length ?? 0;
    expect(before).toBeLessThan(10_000);
    await more.click();
    await expect
      .poll(async () => (await inspected.textContent())?.length)
      .toBeGreaterThan(before + 100_000);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await page.context().close();
  });

  test("JSON that is nested 100,000 deep is shown, whichever part of a step it is", async () => {
    const page = await openStep(10);
    const deep = step(page, 10);
    await deep.getByText("calls dig").waitFor();
    await page.keyboard.press("e");
    await deep
      .locator("details[open]", { hasText: "calls dig" })
      .getByText("[[[[")
      .last()
      .waitFor();
    await deep.getByRole("button", { name: "Inspect Step 10" }).click();
    const inspected = page.locator(".inspected");
    await inspected.getByText('"role": "user"').waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();

    await page.goto(`${console.url}#/sessions/${session}?step=3`);
    await reload(page);
    await step(page, 3).getByRole("button", { name: "Show the answer" }).click();
    await page.getByRole("tab", { name: "Response" }).click();
    await inspected.getByText('"choices": [').waitFor();
    await page.getByLabel("Unformatted").check();
    await inspected.getByText('{"a":[{"a":[').waitFor();
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
