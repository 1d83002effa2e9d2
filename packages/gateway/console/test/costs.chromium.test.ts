import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repairTurns } from "./sample-job.ts";
import { type ViewedConsole, viewStorage } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("costs in a browser");
const job = { job_id: "priced", group_id: "task" };
/** Of each call, in nano-dollars: together they are 0.0375000004 dollars. */
const cost = 9_375_000.1;

describe.skipIf(isSkipped)("what calls cost in Chromium", () => {
  let console: ViewedConsole;
  beforeAll(async () => {
    console = await viewStorage(async (sample) => {
      for (const [index, reward] of [0, 1].entries()) {
        const turns = repairTurns("The clock shows 60.").map((turn) => ({
          ...turn,
          meta: { ...turn.meta, cost_nano_usd: Math.ceil(cost) },
        }));
        const session_id = `priced-${index}`;
        await sample.converse(session_id, turns, job);
        const simulation_id = `task-${index}`;
        const ended = { status: "finished", reward, error: null } as const;
        sample.attempt({ ...job, session_id, simulation_id, ...ended });
      }
      await sample.converse("free", repairTurns("The clock shows 60."));
    });
  });
  afterAll(() => console?.[Symbol.asyncDispose]());

  test("the table of sessions shows costs rounded, and exactly in the tooltip", async () => {
    const page = await console.open("#/sessions");
    const priced = page.getByRole("row", { name: /priced-1/ });
    await priced.getByText("$0.0375").waitFor();
    expect(await priced.locator(".cost").getAttribute("title")).toBe("$0.037500004");
    expect(await page.getByRole("row", { name: /free/ }).locator(".cost").count()).toBe(0);
    await page.context().close();
  });

  test("a session shows its total cost and that of each step", async () => {
    const page = await console.open("#/sessions/priced-1");
    await page.locator("header.head").getByText("$0.0375").waitFor();
    const step = page.getByRole("article", { name: "Step 2" });
    await step.getByText("$0.00938").waitFor();
    await page.getByRole("button", { name: "Inspect Step 2" }).click();
    await page.getByRole("tab", { name: "Facts" }).click();
    await page.getByText("$0.009375001").waitFor();
    await page.context().close();
  });

  test("a job shows cost, tokens and time: totals, averages and those of each simulation", async () => {
    const page = await console.open("#/jobs/priced");
    const head = page.locator("header.head");
    await head.getByText("$0.0750, $0.0375 each").waitFor();
    await head.getByText("1.5K → 160 tokens").waitFor();
    await head.getByText("9.00 s each on average").waitFor();
    const cells = page.locator("a.cell");
    const said = async (measure: string): Promise<string[]> => {
      await page.getByLabel("Show").selectOption(measure);
      return cells.allTextContents();
    };
    expect(await said("cost")).toEqual(["$0.0375", "$0.0375"]);
    expect(await cells.first().getAttribute("aria-label")).toBe("task-0, reward 0, cost $0.0375");
    expect(await said("time")).toEqual(["9.00 s", "9.00 s"]);
    expect(await said("tokens")).toEqual(["815", "815"]);
    expect(await said("reward")).toEqual(["0", "1"]);
    await page.context().close();
  });

  test("the browser had nothing to complain about", () => {
    expect(console.complaints).toEqual([]);
  });
});
