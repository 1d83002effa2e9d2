import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CapturedEnd } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltFeed, builtFeed, runHere, startProgram } from "./program.ts";

const config = `
llm_routes:
  old-1: { base_url: "\${MODELS_URL}", api_key: "\${MODELS_KEY}" }
  judge: { base_url: "http://127.0.0.1:9/v1", upstream_model: late-1 }
  agent: { base_url: "http://127.0.0.1:9/v1", upstream_model: "\${AGENT_MODEL}" }
`;

let built: BuiltFeed;
beforeAll(async () => {
  built = await builtFeed();
});
afterAll(() => built[Symbol.asyncDispose]());

const check = (...args: readonly string[]): Promise<CapturedEnd> =>
  runHere(["check", "--feed", built.output, ...args]);

test("prints the models' states, without colours when not on a terminal", async () => {
  const args = ["check", "--feed", built.output, "old-1", "late-1", "never-heard-of"];
  await using program = startProgram(args, { FORCE_COLOR: undefined });
  expect(await program.exit()).toEqual({ code: 1, signal: null });
  const [ended, source, ...others] = program.stdout.split("\n");
  expect(ended).toMatch(/^✗ old-1 was shut down on 2020-01-31, .*; replaced by new-1$/);
  expect(source).toMatch(/^ {4}https:/);
  expect(others.join("\n")).toMatch(/^! late-1 shuts down on 2099-01-31/m);
  expect(others.join("\n")).toMatch(/^\? never-heard-of is unknown/m);
});

test("a model fails the check only if it shuts down within the given days", async () => {
  expect((await check("late-1", "never-heard-of")).code).toBe(0);
  expect((await check("late-1", "--within", "36500")).code).toBe(1);
  expect((await check("old-1", "--within", "0")).code).toBe(1);
  expect((await check("old-1", "--provider", "openai")).code).toBe(1);
});

test("without a feed, how to get one", async () => {
  const before = process.cwd();
  process.chdir(built.folder);
  const { code, stderr } = await runHere(["check", "old-1"]).finally(() => process.chdir(before));
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(
      /^deprecations: there is no feed in deprecations-feed yet: '.* build' makes one/,
    ),
  ]);
});

test("a provider missing from the feed fails the check", async () => {
  expect(await check("old-1", "--provider", "opnai")).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/nothing about 'opnai'.*OpenAI/),
  });
});

test("a gateway's configuration is read without its secrets", async () => {
  const file = join(built.folder, "gateway.yaml");
  await writeFile(file, config);
  const { code, stdout, stderr } = await check("--config", file, "--json");
  expect(code).toBe(1);
  const { models, within_days } = JSON.parse(stdout);
  expect(within_days).toBe(30);
  expect(
    models.map((found: { model: string; verdict: string }) => [found.model, found.verdict]),
  ).toEqual([
    ["old-1", "ending"],
    ["judge", "unknown"],
    ["late-1", "deprecated"],
    ["agent", "unknown"],
  ]);
  expect(models[0].places).toEqual([{ file, line: null, column: null }]);
  expect(stderr).toContain(
    "the upstream_model of route 'agent' refers to a variable that is not set",
  );
});

test("the models of a configuration with an unrelated error are still checked", async () => {
  const file = join(built.folder, "faulty.yaml");
  await writeFile(file, `${config}\nmax_stepz: 1\n`);
  const { code, stdout } = await check("--config", file);
  expect(code).toBe(1);
  expect(stdout).toContain("old-1 was shut down");
  expect(stdout).toContain("late-1");
});

test("a source tree is searched, and each finding is annotated at its place", async () => {
  const source = join(built.folder, "src");
  await mkdir(join(source, "node_modules"), { recursive: true });
  await writeFile(join(source, "app.ts"), '\nask({ model: "old-1" });\n');
  await writeFile(join(source, "node_modules/x.ts"), "old-1");
  const { code, stdout } = await check("--source", source, "--format", "github");
  expect(code).toBe(1);
  expect(stdout.trim().split("\n")).toEqual([
    expect.stringMatching(
      /^::error file=.*\/src\/app\.ts,line=2,col=15,title=Model ending::old-1 was shut down/,
    ),
  ]);
});

test("a feed that cannot be read is not a verdict: exit code 3", async () => {
  const { code, stderr } = await runHere(["check", "old-1", "--feed", "/no/such/feed"]);
  expect(code).toBe(3);
  expect(stderr).toContain("/no/such/feed");
});

test("a configuration that cannot be read is reported with exit code 2", async () => {
  const file = join(built.folder, "broken.yaml");
  await writeFile(file, "llm_routes: [");
  expect(await check("--config", file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("broken.yaml"),
  });
});

test("a provider that was not read is a warning, and the check does not pass", async () => {
  const output = join(built.folder, "stale");
  built.pages.replies.set("xai", (_request, response) => void response.writeHead(404).end());
  const build = await runHere(["build", "--out", output, ...built.pages.args]);
  built.pages.replies.clear();
  expect(build.code).toBe(1);
  const { code, stdout } = await runHere(["check", "late-1", "--feed", output]);
  expect(stdout).toMatch(/^warning: the page of xAI has never been read: .*status 404$/m);
  expect(code).toBe(3);
  expect((await runHere(["check", "late-1", "--feed", output, "--allow-stale"])).code).toBe(0);
  const other = ["check", "late-1", "--feed", output, "--provider", "openai"];
  expect((await runHere(other)).code).toBe(0);
});

test("known findings in a baseline pass, and new ones fail", async () => {
  const source = join(built.folder, "baselined");
  const baseline = join(built.folder, "baseline.json");
  await mkdir(join(source, "generated"), { recursive: true });
  await writeFile(join(source, "a.ts"), 'const model = "old-1";\n');
  await writeFile(join(source, "generated/b.ts"), 'const model = "old-1";\n');
  const args = ["--source", source, "--exclude", "generated/", "--baseline", baseline];
  expect((await check(...args, "--write-baseline")).code).toBe(0);
  expect((await check(...args)).code).toBe(0);
  await writeFile(join(source, "c.ts"), 'const model = "old-1";\n');
  const { code, stdout } = await check(...args, "--format", "sarif");
  expect(code).toBe(1);
  expect(JSON.parse(stdout).runs[0].results).toHaveLength(1);
});

test("a mistyped model gets a suggestion, and a badge is written", async () => {
  const badge = join(built.folder, "badge.svg");
  const { code, stdout } = await check("ol-1", "late-1", "--badge", badge);
  expect(code).toBe(0);
  expect(stdout).toContain("late-1");
  expect(await readFile(badge, "utf8")).toContain("1 deprecated");
  expect((await check("lat-1")).stdout).toContain("Did you mean late-1?");
});
