import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  reload,
  type WatchedBrowser,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, test, vi } from "vitest";
import { writeJob } from "../examples/two-prompts.ts";
import { launch, startGateway, startLauncher } from "./launcher.ts";

const isSkipped = isLeftOutWithoutChromium("people score rollouts in a browser");
const rubric = `
name: helpful
instructions: Say how the agent answered the customer.
criteria:
  - { name: solved, about: Whether the problem is solved., values: [0, 1, 2] }
  - { name: tone, about: How it speaks., values: [kind, curt] }
`;

type Page = Awaited<ReturnType<WatchedBrowser["open"]>>;

interface Queue {
  /** Of the console. */
  readonly address: string;
  /** Where a person opens it. */
  readonly place: string;
  readonly rollouts: number;
  /** Begins there as a person. */
  readonly begin: (page: Page, name: string) => Promise<void>;
}

async function giveName(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
}

async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Open" }).click();
}

/** Ann and Bob score what comes at the same moment, by keys. @returns what each is told at the end */
async function scoreTogether({ address, place: start, rollouts, begin }: Queue): Promise<string[]> {
  let ended = 0;
  const score = async (name: string, keysAt: (place: number) => [string, string]) => {
    await using browser = await watchBrowser(address);
    const page = await browser.open(start);
    await begin(page, name);
    for (let place = 0; place < rollouts; place += 1) {
      await page.getByText(`${place} scored`, { exact: true }).waitFor();
      await page.getByText("assistant: Hold the button.").waitFor();
      if (place === 1) {
        for (const width of [1440, 820, 390]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        }
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await accessibilityViolations(page)).toEqual([]);
        }
        // Neither the reward nor another person's score is in what the page was given.
        const shown = await page.evaluate<string>("document.body.innerText");
        expect(shown).not.toMatch(/reward|person:/);
      }
      for (const pressed of keysAt(place)) await page.keyboard.press(pressed);
      await page.keyboard.press("Enter");
    }
    await page.getByText("Nothing is left for you.").waitFor();
    ended += 1;
    await vi.waitUntil(() => ended === 2, { timeout: 60_000 });
    await reload(page);
    await page.getByText("Nothing is left for you.").waitFor();
    return (await page.locator("main").textContent()) ?? "";
  };
  return Promise.all([
    score("ann", (place) => [String((place % 3) + 1), "1"]),
    score("bob", (place) => [String((place % 3) + 1), place < rollouts - 3 ? "1" : "2"]),
  ]);
}

async function expectTheCommandsNumbers(
  db_url: string,
  rollouts: number,
  seen: readonly string[],
): Promise<void> {
  const { stdout } = await launch(["agreement", "support", "--json", "--db-path", db_url]);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject([
    { name: "solved", authors: ["person:ann", "person:bob"], sessions: rollouts },
    { name: "tone", authors: ["person:ann", "person:bob"], sessions: rollouts, kappa: 0 },
  ]);
  for (const { kappa, alpha } of found)
    for (const number of [kappa, alpha])
      for (const each of seen) expect(each).toContain(String(Number(number.toFixed(3))));
  const args = ["report", "support", "--score", "solved", "--json", "--db-path", db_url];
  expect(JSON.parse((await launch(args)).stdout)[0].n).toBe(rollouts);
}

describe.skipIf(isSkipped)("people score rollouts in Chromium", () => {
  test("two people score forty rollouts in a gateway's console, blind, by keys, on a phone; its numbers are the command's", async () => {
    const key = "key-of-the-team";
    await using gateway = await startGateway({ auth: { api_keys: [key] } });
    const { db_url } = gateway;
    await writeJob(db_url, "support", 40, (task) => task % 2);
    await gateway.write("rubric.yaml", rubric);
    const file = join(gateway.folder, "rubric.yaml");
    const queue = ["support", "--rubric", file, "--reviewers", "2"];
    const address = `${gateway.url}/console`;
    const before = await fetch(`${gateway.url}/v1/jobs/support/review?person=ann`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([before.status, await before.text()]).toEqual([
      404,
      expect.stringContaining("--rubric"),
    ]);
    const stored = await launch(["review", ...queue, "--console", "--db-path", db_url]);
    expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining("#/review/support") });

    const seen = await scoreTogether({
      ...{ address, place: "#/jobs/support", rollouts: 40 },
      async begin(page, name) {
        await giveKey(page, key);
        await page.getByRole("link", { name: "Score rollouts" }).focus();
        await page.keyboard.press("Enter");
        await giveName(page, name);
      },
    });
    await expectTheCommandsNumbers(db_url, 40, seen);
    const anyone = await fetch(`${gateway.url}/v1/jobs/support/review?person=eve`);
    expect(anyone.status).toBe(401);
  }, 120_000);

  test("two people score the same queue of launcher review, which shows nothing else", async () => {
    await using folder = await temporaryFolder();
    const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
    await writeJob(db_url, "support", 8, (task) => task % 2);
    const file = join(folder.path, "rubric.yaml");
    await writeFile(file, rubric);
    const args = ["support", "--rubric", file, "--reviewers", "2", "--port", "0"];
    await using program = startLauncher(["review", ...args, "--db-path", db_url]);
    const [, key = ""] = (await program.line(/^key {6}/)).split(/ +/);
    const url = (await program.line(/^console {2}http:/)).replace(/^console +/, "");
    const [address = "", place = ""] = url.split("#");
    const seen = await scoreTogether({
      ...{ address, place: `#${place}`, rollouts: 8 },
      async begin(page, name) {
        await giveName(page, name);
        await giveKey(page, key);
      },
    });
    await expectTheCommandsNumbers(db_url, 8, seen);
    // Nothing is left for a third person.
    const headers = { authorization: `Bearer ${key}` };
    const third = await fetch(new URL("/v1/jobs/support/review?person=eve", address), { headers });
    expect(await third.json()).toMatchObject({ rollout: null, left: 0, done: 0 });
    const other = await fetch(new URL("/v1/jobs", address), { headers });
    expect(other.status).toBe(404);
  });
});
