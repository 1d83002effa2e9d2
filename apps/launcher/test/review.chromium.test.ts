import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, test, vi } from "vitest";
import { writeJob } from "../examples/two-prompts.ts";
import { launch, startLauncher } from "./launcher.ts";

const isSkipped = isLeftOutWithoutChromium("people score rollouts in a browser");
const rubric = `
name: helpful
instructions: Say how the agent answered the customer.
criteria:
  - { name: solved, about: Whether the problem is solved., values: [0, 1, 2] }
  - { name: tone, about: How it speaks., values: [kind, curt] }
`;

describe.skipIf(isSkipped)("people score rollouts in Chromium", () => {
  test("two people in two browsers score forty rollouts blind, by keys, on a phone; the page's numbers are the command's", async () => {
    await using folder = await temporaryFolder();
    const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
    await writeJob(db_url, "support", 40, (task) => task % 2);
    const file = join(folder.path, "rubric.yaml");
    await writeFile(file, rubric);
    const args = ["support", "--rubric", file, "--reviewers", "2", "--port", "0"];
    await using program = startLauncher(["review", ...args, "--db-path", db_url]);
    const [, key = ""] = (await program.line(/^key {6}/)).split(/ +/);
    const url = (await program.line(/^console {2}http:/)).replace(/^console +/, "");
    const address = url.slice(0, url.indexOf("#"));

    /** Scores what comes, always with the same values for a rollout's place in the person's own queue. */
    let ended = 0;
    const score = async (name: string, keyOf: (place: number) => [string, string]) => {
      await using browser = await watchBrowser(address);
      const page = await browser.open("#/review");
      await page.setViewportSize({ width: 390, height: 800 });
      const start = page.locator("input");
      await start.fill(name);
      await page.getByRole("button", { name: "Begin" }).click();
      // The server asks for its key first.
      await page.getByLabel("Key").fill(key);
      await page.getByRole("button", { name: "Open" }).click();
      for (let place = 0; place < 40; place += 1) {
        await page.getByText(`${place} scored`, { exact: true }).waitFor();
        await page.getByText("assistant: Hold the button.").waitFor();
        if (place === 1) {
          expect(await accessibilityViolations(page)).toEqual([]);
          const scrolled = await page.evaluate<number>("document.documentElement.scrollWidth");
          expect(scrolled).toBe(390);
          // Neither the reward nor another person's score is in what the page was given.
          const answer = await page.evaluate<string>("document.body.innerText");
          expect(answer).not.toMatch(/reward|person:/);
        }
        for (const pressed of keyOf(place)) await page.keyboard.press(pressed);
        await page.keyboard.press("Enter");
      }
      await page.getByText("Nothing is left for you.").waitFor();
      ended += 1;
      await vi.waitUntil(() => ended === 2, { timeout: 60_000 });
      await page.reload();
      await page.getByText("Nothing is left for you.").waitFor();
      return (await page.locator("main").textContent()) ?? "";
    };
    // At the same moment; what each is told at the end is read once both have ended.
    const both = await Promise.all([
      score("ann", (place) => [String((place % 3) + 1), "1"]),
      score("bob", (place) => [String((place % 3) + 1), place < 30 ? "1" : "2"]),
    ]);

    const { stdout } = await launch(["agreement", "support", "--json", "--db-path", db_url]);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject([
      { name: "solved", authors: ["person:ann", "person:bob"], sessions: 40 },
      { name: "tone", authors: ["person:ann", "person:bob"], sessions: 40, kappa: 0 },
    ]);
    for (const { kappa, alpha } of found)
      for (const number of [kappa, alpha])
        for (const seen of both) expect(seen).toContain(String(Number(number.toFixed(3))));
    const report = await launch([
      "report",
      "support",
      "--score",
      "solved",
      "--json",
      "--db-path",
      db_url,
    ]);
    expect(JSON.parse(report.stdout)[0].n).toBe(40);
    // Nothing is left for a third person.
    const headers = { authorization: `Bearer ${key}` };
    const third = await fetch(new URL("/v1/review?person=eve", address), { headers });
    expect(await third.json()).toMatchObject({ rollout: null, left: 0, done: 0 });
    const other = await fetch(new URL("/v1/jobs", address), { headers });
    expect(other.status).toBe(404);
  }, 120_000);
});
