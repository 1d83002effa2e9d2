import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type JobStore, openJobStore } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeTwoPrompts } from "../examples/two-prompts.ts";
import { launch, startGateway } from "./launcher.ts";

describe.skipIf(isLeftOutWithoutChromium("reports in a browser"))("a comparison's HTML", () => {
  test("opens from disk at every width, light and dark, and its tables scroll by keys", async () => {
    await using folder = await temporaryFolder();
    const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
    await writeTwoPrompts(db_url);
    const file = join(folder.path, "comparison.html");
    const jobs = ["compare", "prompt-a", "prompt-b"];
    expect(await launch([...jobs, "--html", file, "--db-path", db_url])).toMatchObject({ code: 0 });

    const url = pathToFileURL(file).href;
    await using browser = await watchBrowser(url);
    const backgrounds = new Set<string>();
    for (const width of [390, 768, 1280])
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await browser.open("", { colorScheme, viewport: { width, height: 800 } });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        backgrounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
        expect([width, colorScheme, await accessibilityViolations(page)]).toEqual([
          width,
          colorScheme,
          [],
        ]);
        await page.getByText("B is better than A by 0.1313").waitFor();
        await page.context().close();
      }
    expect(backgrounds.size).toBe(2);

    // The table of tasks is wider than a phone: Tab reaches it, and an arrow shows its end.
    const page = await browser.open("", { viewport: { width: 390, height: 800 } });
    const scrolled = (): Promise<number> => page.evaluate("document.activeElement.scrollLeft");
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.getAttribute('aria-label')");
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Both jobs, /);
    await page.keyboard.press("ArrowRight");
    await expect.poll(scrolled).toBeGreaterThan(0);
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Paired test, /);
    // It asked for nothing but itself.
    expect(new Set(browser.complaints)).toEqual(new Set([`asked for ${url}`]));
  });

  test("the console's page says what the command prints, of named scores, failed tools and the infrastructure, too", async () => {
    await using gateway = await startGateway();
    const { db_url } = gateway;
    await writeTwoPrompts(db_url);
    const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
    onTestFinished(() => store.close());
    await addSimulations(store);
    await using browser = await watchBrowser(`${gateway.url}/console`);
    const page = await browser.open("");
    const shown = (): Promise<string> => page.evaluate("document.body.innerText");
    for (const { args, place } of [
      { args: ["report", "prompt-a", "--tools"], place: "job=prompt-a&tools=true" },
      {
        args: ["report", "prompt-a", "--score", "tidy", "--by", "person:ann"],
        place: "job=prompt-a&score=tidy&by=person:ann",
      },
      { args: ["compare", "prompt-a", "prompt-b"], place: "job=prompt-b&against=prompt-a" },
    ]) {
      const { code, stdout } = await launch([...args, "--db-path", db_url]);
      expect(code).toBe(0);
      await page.goto(`${gateway.url}/console#/report?${place}`);
      await page.getByRole("table", { name: /^(By task|Tasks)/ }).waitFor();
      const [printed = ""] = stdout.split(/\n(?:By task|Better)\n/);
      const lines = printed
        .split("\n")
        .slice(1)
        .filter((line) => line !== "" && line.trim() !== "value");
      expect(lines.length).toBeGreaterThan(8);
      // Each cell of the page is its own word; the command's columns are apart by two spaces.
      const words = async (): Promise<string> => ` ${(await shown()).replaceAll(/\s+/g, " ")} `;
      for (const line of lines)
        await expect.poll(words).toContain(` ${line.trim().replaceAll(/\s+/g, " ")} `);
    }
    expect(await shown()).toContain("B is better than A by");
    // The score is chosen by name and author, with the keyboard.
    await page.goto(`${gateway.url}/console#/report?job=prompt-a`);
    await page.getByLabel("Score").selectOption({ label: "tidy by person:ann" });
    await page.getByText(/^1 rollout of 42 tasks: mean 0\.25/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});

/** One that the infrastructure failed, one that crashed, and one that two people scored. */
async function addSimulations(store: JobStore): Promise<void> {
  const job_id = "prompt-a";
  const statuses = ["infrastructure", "failed"] as const;
  await store.addSimulations(
    job_id,
    statuses.map((simulation_id) => ({
      ...{ simulation_id, group_id: null, env_name: null, env_params: null },
    })),
  );
  for (const { session_id, simulation_id } of await store.claim({ job_id, owner: "me", limit: 9 }))
    await store.fail({
      ...{ session_id, owner: "me", error: "upstream_failed: 503", result: null, max_attempts: 1 },
      status: simulation_id === "failed" ? "failed" : "infrastructure",
    });
  const [scored] = (await store.readEnvironments({ job_id, limit: 1000 })).environments.filter(
    ({ status }) => status === "finished",
  );
  const { session_id = "" } = scored ?? {};
  const said = { session_id, name: "tidy", repetition: 1, label: null, judged_in: null };
  await store.writeScores([
    { ...said, author: "person:ann", value: 0.25, comment: null },
    { ...said, author: "person:bob", value: 0.75, comment: "better" },
  ]);
}
