import { fileURLToPath } from "node:url";
import { startBundled, startProcess, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import type { MatchStory } from "../src/watching/watched.ts";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const longTest = 900_000;

/** Runs the program to its end in its own folder. */
async function run(args: readonly string[]) {
  await using folder = await temporaryFolder();
  await using program = startBundled(bin, args, { cwd: folder.path });
  const { code } = await program.exit(longTest);
  return { code, stdout: program.stdout, stderr: program.stderr };
}

test(
  "exits with 0, prints the ranking, and prints the same one for the same seed",
  async () => {
    const args = ["--traders", "2", "--rounds", "2", "--seed", "7"];
    const first = await run(args);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("round 2 of 2")]);
    expect(first.stderr).toMatch(/^console {2}http.*\/console$/m);
    expect(first.stderr).toMatch(/^account {2}trend 1000 {2}reversion 1001$/m);
    expect(first.stdout).toMatch(/^rank +trader +reward/);
    expect(first.stdout.split("\n")).toHaveLength(4);
    expect((await run(args)).stdout).toBe(first.stdout);
    const json = JSON.parse((await run([...args, "--json"])).stdout);
    expect(json).toMatchObject({ seed: 7, rounds: 2, standings: [{ rank: 1 }, { rank: 2 }] });
  },
  longTest,
);

test("--help prints the usage, and a wrong command line says what is wrong", async () => {
  const help = await run(["--help"]);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("--seed")]);
  const half = await run(["--model", "x"]);
  expect([half.code, half.stderr]).toEqual([2, expect.stringContaining("--base-url")]);
  const many = await run(["--traders", "0"]);
  expect([many.code, many.stderr]).toEqual([2, expect.stringContaining("from 1 to 64")]);
});

test(
  "--stay keeps the pages up until a signal, and view shows the arena afterwards",
  async () => {
    await using folder = await temporaryFolder();
    const args = [bin, "--traders", "1", "--rounds", "1", "--stay"];
    await using program = startProcess(args, { cwd: folder.path });
    await program.line(/^The pages stay up/, longTest);
    const [, url = ""] = /^points {3}(\S+)$/m.exec(program.stderr) ?? [];
    expect((await fetch(url)).status).toBe(200);
    program.kill("SIGTERM");
    expect(await program.exit()).toMatchObject({ code: 0 });

    // Afterwards the same page is shown from its files.
    await using viewer = startBundled(bin, ["view"], { cwd: folder.path });
    const shown = /(http\S+)$/.exec(await viewer.line(/^arena {4}http/, longTest))?.[1] ?? "";
    const ask = async (path: string): Promise<unknown> => (await fetch(shown + path)).json();
    expect(await ask("/api/arena")).toMatchObject({
      ...{ pages: null, standings: [{ trader: "trend" }], matches: { length: 3 } },
    });
    const { traders } = (await ask("/api/matches/3")) as MatchStory;
    expect(traders[0]?.moves.at(-1)).toMatchObject({
      ...{ round: 1, text: expect.stringContaining("The arena is over") },
    });
    viewer.kill("SIGTERM");
    expect(await viewer.exit(longTest)).toMatchObject({ code: 0 });
    const none = await run(["view", "arena-1-00000000"]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("No arena 'arena-1-") });
  },
  longTest,
);
