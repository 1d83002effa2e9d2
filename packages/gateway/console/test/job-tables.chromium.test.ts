import { isLeftOutWithoutChromium, pageFaults, reload } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeSampleJob } from "./sample-job.ts";
import type { SampleStore } from "./sample-store.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("tables of jobs and simulations in a browser");

const errors = [
  "runtime_failed: This model's maximum context length is 8192 tokens. (reported by command agent)",
  "runtime_failed: Error code: 429, rate_limit_exceeded (reported by command agent)",
  "runtime_exited: TypeError: x is undefined (command agent exited with code 1)",
  "runtime_timeout: command agent: timed out after 25 s",
  "evaluator_bad_result: command judge: printed nothing",
  "runtime_failed: <img src=x onerror=alert(1)>",
];
const causes = ["context length", "rate limit", "crash", "time out", "judge", "agent"];

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const content = (role: string, part: object): object => ({ role, parts: [part] });

/** As Google's API tells it: a search that failed. */
async function writeSearch(sample: SampleStore): Promise<void> {
  const job = { job_id: "searches", group_id: null };
  const functionCall = { name: "search", args: { q: "sixtieth" } };
  const response = { error: "No index." };
  const said = [
    content("model", { functionCall }),
    content("model", { text: "There is no index." }),
  ].map((content) => utf8(JSON.stringify({ candidates: [{ content }] })));
  const asked = content("user", { text: "Where is it?" });
  const returned = content("user", { functionResponse: { name: "search", response } });
  const turns = [[asked], [content("model", { functionCall }), returned]].map((added, index) => ({
    ...{ added, answer: {}, meta: { endpoint: "generate_content" } },
    changes: { response: said[index] ?? null },
  }));
  await sample.converse("search", turns, job);
  sample.attempt({
    ...{ ...job, session_id: "search", simulation_id: "search.1", status: "finished" },
    ...{ reward: 0, error: null },
  });
}

/** More groups than are put into the document at once; the last simulation failed. */
async function writeLargeJob(sample: SampleStore): Promise<void> {
  for (let index = 0; index < 1_000; index += 1) {
    const place = (1_000 + index).toString();
    sample.attempt({
      ...{
        job_id: "large",
        group_id: `task-${Math.floor(index / 4)}`,
        session_id: `large-${place}`,
      },
      ...{ simulation_id: `s-${place}`, status: index < 999 ? "finished" : "failed" },
      ...{
        reward: index < 999 ? (index % 4) / 4 : null,
        error: index < 999 ? null : "agent_failed: no",
      },
    });
  }
}

describe.skipIf(isSkipped)("tables of jobs and simulations in Chromium", () => {
  let console: ViewedConsole;
  type Page = Awaited<ReturnType<ViewedConsole["open"]>>;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await writeSampleJob(sample, "before", 8);
      await writeSampleJob(sample, "now", 8);
      for (const [index, error] of errors.entries())
        sample.attempt({
          ...{ job_id: "failing", group_id: "task-0", status: "failed", reward: null, error },
          ...{ session_id: `failing-${index}`, simulation_id: `s-${index}` },
          result: JSON.stringify({ last_output: `Traceback of ${index}:\n  line 3` }),
        });
      await writeLargeJob(sample);
      await writeSearch(sample);
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  const names = (page: Page) => page.locator("table.sorted tbody td:first-child");

  test("each cause of failures is told apart, and lists all of its attempts with the agent's words", async () => {
    const page = await console.open("#/jobs/failing");
    const section = page.getByRole("region", { name: "Failures by cause" });
    const links = section.getByRole("link", { name: /^1 × / });
    await links.first().waitFor();
    expect((await links.allTextContents()).toSorted()).toEqual(
      causes.map((cause) => `1 × ${cause}`).toSorted(),
    );
    for (const [index, cause] of causes.entries()) {
      await section.getByRole("link", { name: `1 × ${cause}` }).click();
      await expect.poll(() => names(page).allTextContents()).toEqual([`s-${index}`]);
      const said = errors[index]?.replace(/^\w+: /, "") ?? "";
      await page.locator("td", { hasText: said }).waitFor();
    }
    await page.getByRole("searchbox").fill("cause:runtime_exited");
    await expect.poll(() => names(page).allTextContents()).toEqual(["s-2"]);
    // They made no call.
    await page.goto(`${console.url}#/sessions?q=cause:crash`);
    await page.locator('a.entry[title="failing-2"]').click();
    await page.getByText("It has made no call.").waitFor();
    await page.getByText(errors[2] ?? "").waitFor();
    await page.getByText("output Traceback of 2").click();
    await page.locator(".said.code", { hasText: /^Traceback of 2:\n {2}line 3$/ }).waitFor();
    await page.context().close();
  });

  test("simulations are filtered and sorted, by keyboard too, and the URL keeps both", async () => {
    const page = await console.open("#/jobs/now?show=table");
    await names(page).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("reward>=0.5");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "tokens", exact: true }).press("Enter");
    const shown = async () => [
      await names(page).allTextContents(),
      await page.locator("td[data-name=reward]").allTextContents(),
      await page.locator("td[data-name=tokens]").allTextContents(),
    ];
    await page.locator("th[aria-sort=ascending]", { hasText: "tokens" }).waitFor();
    await expect
      .poll(async () => (await shown())[1]?.every((text) => Number(text) >= 0.5))
      .toBe(true);
    const before = await shown();
    const tokens = before[2]?.map(
      (text) => Number(text.replace("K", "")) * (text.endsWith("K") ? 1000 : 1),
    );
    expect(tokens).toEqual(tokens?.toSorted((one, other) => one - other));
    await reload(page);
    await expect.poll(shown).toEqual(before);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: before[0]?.[0] ?? "" }).waitFor();
    await page.context().close();
  });

  test("of a large job only a part is in the document, and its last failure is one key away", async () => {
    const page = await console.open("#/jobs/large");
    const cells = page.locator("a.cell");
    await cells.first().waitFor();
    expect(await cells.count()).toBeLessThan(1_000);
    await page.keyboard.press("n");
    await expect
      .poll(() => page.locator(":focus").getAttribute("aria-label"))
      .toBe("s-1999, failed");
    await page.goto(`${console.url}#/jobs/large?order=failures`);
    await expect.poll(() => cells.nth(3).getAttribute("aria-label")).toBe("s-1999, failed");
    await page.goto(`${console.url}#/jobs/large?show=table&find=reward>0&sort=-simulation`);
    await expect.poll(() => names(page).first().textContent()).toBe("s-1998");
    expect(await names(page).count()).toBeLessThan(700);
    await names(page).last().scrollIntoViewIfNeeded();
    await expect.poll(() => names(page).count()).toBeGreaterThan(100);
    await page.context().close();
  });

  test("jobs show what they used and how they differ from the job before with the same simulations", async () => {
    const page = await console.open("#/jobs?sort=job");
    await expect
      .poll(() => names(page).allTextContents())
      .toEqual(["before", "failing", "large", "now", "searches"]);
    const row = page.locator("tr", { hasText: "now" });
    await row.getByText("policy").waitFor();
    await expect.poll(() => row.locator("[data-name=cost]").textContent()).toMatch(/^\$0\.0\d/);
    await page.getByRole("searchbox").fill("policy");
    await expect.poll(() => names(page).allTextContents()).toEqual(["before", "now", "searches"]);
    const change = page.locator("[data-name=change]").getByRole("link", { name: "0" });
    await change.click();
    await page.getByRole("heading", { name: /^Comparison of / }).waitFor();
    await page.context().close();
  });

  test("tools are sorted by keyboard, and lead to the sessions that called them", async () => {
    const page = await console.open("#/jobs/now");
    await page.getByRole("link", { name: "Tools" }).click();
    const calls = page.locator("td[data-name=calls]");
    await page.getByRole("button", { name: "calls", exact: true }).press("Enter");
    await page.locator("th[aria-sort=ascending]", { hasText: "calls" }).waitFor();
    expect(await names(page).allTextContents()).toEqual(["grep", "edit", "bash"]);
    expect(await calls.allTextContents()).toEqual(["2", "6", "7"]);
    const failed = page.locator("td[data-name=failed]");
    expect(await failed.allTextContents()).toEqual(["–", "–", "–"]);
    await page.locator("tr", { hasText: "grep" }).getByRole("link").click();
    await expect.poll(() => page.locator("a.entry").count()).toBe(2);
    await page.context().close();
  });

  test("a step of Google's API is shown, and its failed tool is counted", async () => {
    const page = await console.open("#/sessions/search");
    await page
      .getByRole("article", { name: "Step 1", exact: true })
      .getByText("calls search")
      .waitFor();
    const second = page.getByRole("article", { name: "Step 2", exact: true });
    await second.getByText("There is no index.").waitFor();
    await page.keyboard.press("e");
    await second.getByText("No index.", { exact: true }).last().waitFor();
    await page.getByRole("link", { name: "Tools" }).click();
    await expect.poll(() => names(page).allTextContents()).toEqual(["search"]);
    expect(await page.locator("td[data-name='failure rate']").textContent()).toBe("100.0 %");
    expect(await page.locator("td[data-name='longest time']").textContent()).toMatch(/ ms$/);
    await page.context().close();
  });

  test.each(["light", "dark"] as const)(
    "tables fit and are accessible in the %s scheme",
    async (colorScheme) => {
      const page = await console.open("", { colorScheme });
      for (const place of ["#/jobs", "#/jobs/failing?show=table", "#/jobs/now?find=reward<0.5"]) {
        await page.goto(console.url + place);
        await page.locator("td:first-child a, a.cell.pale").first().waitFor();
        expect([place, ...(await pageFaults(page))]).toEqual([place]);
      }
      await page.context().close();
    },
  );

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
