import { comparisonSheet, reward, type Sheet } from "@proj/launcher-client/sheets";
import { compareJobs, reportJob } from "@proj/launcher-client/statistics";
import { isLeftOutWithoutChromium, pageFaults, reload } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeSampleJob } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

type Page = Awaited<ReturnType<ViewedConsole["open"]>>;

const isSkipped = isLeftOutWithoutChromium("rewards and numbers in a browser");

describe.skipIf(isSkipped)("rewards and numbers in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      await writeSampleJob(sample, "first", 24);
      for (const { task, session_id, score } of second)
        sample.attempt({
          ...{ job_id: "second", group_id: task, status: "finished", error: null },
          ...{ session_id: `second-${session_id}`, simulation_id: session_id, reward: score },
        });
      const comment = "It repaired the clock. <img src=x onerror=alert(1)>";
      sample.score({
        ...{ session_id: "first-9", name: "tidy", author: "judge:strict", value: 0.5, comment },
      });
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("a session says on top where its reward came from, and its neighbours are one key away", async () => {
    const page = await console.open("#/sessions/first-9");
    const head = page.locator("header.head");
    const scores = head.getByRole("list", { name: "Scores" });
    await scores.getByText("tidy 0.5").waitFor();
    await scores.getByText("by judge:strict").waitFor();
    await scores.getByText("It repaired the clock. <img src=x").waitFor();
    await head.getByText("the clock shows 60").first().waitFor();
    const others = head.getByRole("navigation", { name: "Other rollouts" });
    expect(await others.getByRole("link", { name: /^task-1-\d, / }).count()).toBe(7);
    await page.keyboard.press("l");
    await page.getByRole("heading", { name: "task-1-2" }).waitFor();
    await others.getByRole("link", { name: "next (l) →" }).waitFor();
    await page.keyboard.press("h");
    await page.getByRole("heading", { name: "task-1-1" }).waitFor();
    await page.context().close();
  });

  test("two jobs are compared with the command's numbers, regressions first, with both rollouts a click away", async () => {
    const page = await console.open("#/report?job=second&against=first");
    const rows = page.locator("table.sorted tbody tr");
    await rows.first().waitFor();
    const comparison = compareJobs(reportJob(sampled(24)), reportJob(second));
    const { better, worse } = comparison;
    expect([better.length > 0, worse.length > 0]).toEqual([true, true]);
    const [a, b] = [
      { job_id: "first", ...reportJob(sampled(24)) },
      { job_id: "second", ...reportJob(second) },
    ];
    await expectSheet(page, comparisonSheet(a, b, comparison));
    const names = page.locator("table.sorted tbody td:first-child");
    const sorted = [...worse, ...better.toReversed()].map(({ task }) => task);
    expect(await names.allTextContents()).toEqual(sorted);
    await page.getByRole("button", { name: "Only what got worse" }).press("Enter");
    await expect.poll(() => names.allTextContents()).toEqual(sorted.slice(0, worse.length));
    await page.getByRole("link", { name: `${sorted[0]} side by side` }).click();
    await page.getByRole("columnheader").nth(1).waitFor();
    await page.goto(`${console.url}#/report?job=first`);
    const tasks = page.getByRole("table", { name: "Tasks" });
    await tasks.waitFor();
    for (const { task, n, mean } of reportJob(sampled(24)).tasks) {
      const cells = tasks.locator("tr", { hasText: task }).locator("td");
      const first = (await cells.allTextContents()).slice(0, 3);
      expect(first).toEqual([task, String(n), reward(mean)]);
    }
    const columns = (await tasks.locator("thead th").allTextContents()).map((name) => name.trim());
    expect(columns).toEqual(
      expect.arrayContaining(["Wilson", "pass@7", "pass^7", "infrastructure"]),
    );
    await page.context().close();
  });

  test("tables are sorted by the buttons in their heads, and the URL keeps the order", async () => {
    const page = await console.open("#/report?job=first&rows=simulations");
    const table = page.getByRole("table", { name: "Simulations" });
    await table.waitFor();
    const rewards = async (): Promise<(string | null)[]> =>
      table.locator("tbody tr td:nth-child(4)").allTextContents();
    await table.getByRole("button", { name: "reward" }).press("Enter");
    await table.locator("th[aria-sort=ascending]", { hasText: "reward" }).waitFor();
    expect((await rewards()).slice(0, 2)).toEqual(["0", "0"]);
    expect((await rewards()).slice(-2)).toEqual(["–", "–"]);
    await table.getByRole("button", { name: "reward" }).press("Enter");
    await table.locator("th[aria-sort=descending]", { hasText: "reward" }).waitFor();
    expect(page.url()).toContain("sort=-reward");
    await reload(page);
    await table.waitFor();
    expect((await rewards())[0]).toBe("1");
    expect((await rewards()).slice(-2)).toEqual(["–", "–"]);
    await page.context().close();
  });

  test.each(["light", "dark"] as const)(
    "reports, comparisons and scored sessions fit and are accessible in the %s scheme",
    async (colorScheme) => {
      const page = await console.open("", { colorScheme });
      for (const [place, shown] of [
        ["#/report?job=first", "table.sorted td"],
        ["#/report?job=second&against=first", "table.sorted"],
        ["#/sessions/first-9", "ul.scored"],
      ] as const) {
        await page.goto(console.url + place);
        await page.locator(shown).first().waitFor();
        expect([place, ...(await pageFaults(page))]).toEqual([place]);
      }
      await page.context().close();
    },
  );

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});

/** The rollouts of `writeSampleJob`, as the storage has them. */
const sampled = (simulations: number) =>
  Array.from({ length: simulations }, (_, index) => {
    const [isFailed, isUniform] = [index % 11 === 10, Math.floor(index / 8) % 4 === 3];
    return {
      ...{ task: `task-${Math.floor(index / 8)}`, session_id: `${index}` },
      ...{ prompt_tokens: 0, completion_tokens: 0, cost_nano_usd: 0 },
      ...{ duration_ms: null, tool_failures: null },
      ending: isFailed ? ("failed" as const) : ("scored" as const),
      score: isFailed ? null : isUniform ? 1 : ((index * 7) % 5) / 4,
    };
  });

/** Better at the first task; elsewhere a failure is a 0. */
const second = sampled(24).map((rollout) => ({
  ...{ ...rollout, ending: "scored" as const },
  score: (rollout.score ?? 0) + (rollout.task === "task-0" ? 0.5 : 0),
}));

/** The page says every sentence and every number of the sheet that the command prints. */
async function expectSheet(page: Page, { summary, tables }: Sheet): Promise<void> {
  const said = await page.locator("main p").allTextContents();
  expect(said).toEqual(expect.arrayContaining([...summary]));
  for (const { title, rows } of tables.filter(({ isByTask }) => isByTask !== true)) {
    const shown = page.getByRole("table", { name: title, exact: true }).locator("tbody tr");
    const cells = await Promise.all(
      (await shown.all()).map((row) => row.locator("th, td").allTextContents()),
    );
    expect([title, cells]).toEqual([title, rows]);
  }
}
