import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess, type TemporaryFolder, temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trueDifference } from "../examples/two-prompts.ts";
import { launch } from "./launcher.ts";

let folder: TemporaryFolder;
let db_url: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  db_url = `sqlite://${join(folder.path, "gateway.db")}`;
  const example = fileURLToPath(new URL("../examples/two-prompts.ts", import.meta.url));
  await using program = startProcess([example, db_url]);
  expect(await program.exit()).toEqual({ code: 0, signal: null });
});
afterAll(() => folder[Symbol.asyncDispose]());

const ask = (...args: string[]) => launch([...args, "--db-path", db_url]);

test("the worked example in the documents is what the command prints", async () => {
  const page = await readFile(
    fileURLToPath(new URL("../../../docs/evaluation.md", import.meta.url)),
    "utf8",
  );
  const { code, stdout } = await ask("compare", "prompt-a", "prompt-b");
  expect(code).toBe(0);
  for (const line of stdout.split("\nBetter")[0]?.split("\n") ?? []) expect(page).toContain(line);
  const { comparison } = JSON.parse(
    (await ask("compare", "prompt-a", "prompt-b", "--json")).stdout,
  );
  const { difference, interval } = comparison;
  const [more, least, most] = [difference, interval.low, interval.high].map((share) =>
    Math.round(100 * share),
  );
  expect(page).toContain(`${more} more of 100 attempts succeed`);
  expect(page).toContain(`between ${least} and ${most} more`);
});

test("comparing a job with itself shows no difference", async () => {
  const { stdout } = await ask("compare", "prompt-a", "prompt-a");
  expect(stdout.split("\n").slice(1, 3)).toEqual([
    "A and B have the same mean on every task.",
    "All tasks differ by the same amount, so it cannot be said how large a difference would be found.",
  ]);
});

test("compare finds the true difference, as text and as JSON", async () => {
  const { stdout } = await ask("compare", "prompt-a", "prompt-b", "--json");
  const { comparison, a, b } = JSON.parse(stdout);
  expect(comparison.interval.low).toBeLessThan(trueDifference);
  expect(comparison.interval.high).toBeGreaterThan(trueDifference);
  expect(comparison.p).toBeLessThan(0.05);
  expect(comparison.difference).toBeCloseTo(b.mean - a.mean, 9);
  expect(comparison.better.length + comparison.worse.length + comparison.equal).toBe(40);
});

test("report has each task and all of them, and pass@k up to the rollouts of every task", async () => {
  const { stdout } = await ask("report", "prompt-a", "--json");
  const [report] = JSON.parse(stdout);
  expect(report).toMatchObject({ job_id: "prompt-a", n: 160, failed: 0, infrastructure: 0 });
  expect(report.passes.map(({ k }: { k: number }) => k)).toEqual([1, 4]);
  expect(report.passes[0].pass_at_k).toBeCloseTo(report.mean, 12);
  expect(report.tasks).toHaveLength(40);
  expect(report.tasks[0]).toMatchObject({ task: "task-1", n: 4, prompt_tokens: 400 });
  const text = (await ask("report", "prompt-a", "--k", "2")).stdout;
  expect(text).toMatch(/^job prompt-a\n160 rollouts of 40 tasks: mean 0\.\d+, between /);
  expect(text).toMatch(/^pass@2 +0\.\d+$/m);
});

test("the HTML is one file without scripts", async () => {
  const file = join(folder.path, "report.html");
  expect(await ask("compare", "prompt-a", "prompt-b", "--html", file)).toMatchObject({ code: 0 });
  const page = await readFile(file, "utf8");
  expect(page).toContain("<h1>B prompt-b against A prompt-a</h1>");
  expect(page).not.toMatch(/<script|https?:/);
  expect(page).toContain("default-src 'none'");
});

test("a job that does not exist, and a missing one, are refused", async () => {
  expect(await ask("report", "no-job")).toMatchObject({ code: 1 });
  expect(await ask("report")).toMatchObject({ code: 2 });
  expect(await ask("compare", "prompt-a")).toMatchObject({ code: 2 });
});
