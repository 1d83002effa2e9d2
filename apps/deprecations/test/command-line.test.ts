import { readFile } from "node:fs/promises";
import { loadProgram } from "@proj/program";
import { expect, test } from "vitest";
import { deprecations } from "../src/main.ts";
import { runHere } from "./program.ts";

const { commands } = await loadProgram(deprecations);

test("--help says how to use it, and exits with 0", async () => {
  const { code, stdout } = await runHere(["--help"]);
  expect(code).toBe(0);
  for (const word of ["build", "serve", "check", "Exit codes"]) expect(stdout).toContain(word);
});

test("the README has every option", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const options = commands.flatMap(({ options }) => Object.keys(options));
  expect(options.length).toBeGreaterThan(15);
  for (const option of options) expect(readme).toContain(`--${option}`);
});

test("--version prints the version", async () => {
  expect(await runHere(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\./),
  });
});

test.each([
  [[], /say what to do: build, serve, check/],
  [["frobnicate"], /unknown command 'frobnicate'/],
  [["build", "--page", "nobody=http://127.0.0.1/"], /no provider 'nobody'; there are openai/],
  [["build", "--accept", "nobody"], /--accept names no provider 'nobody'; there are openai/],
  [["build", "--url", "ftp://x/"], /--url must be an http/],
  [["build", "--page", "openai"], /--page must be of the form SLUG=URL/],
  [["build", "--webhook", "http://127.0.0.1/"], /--webhook needs DEPRECATIONS_WEBHOOK_SECRET/],
  [["check"], /check needs models/],
  [["check", "m", "--write-baseline"], /--write-baseline needs --baseline FILE/],
  [["check", "m", "--within", "-1"], /--within must be a whole number from 0 to 36500, not '-1'/],
  [["check", "m", "--format", "xml"], /--format must be text, json, github or sarif, not 'xml'/],
])("%j is refused", async (args, message) => {
  const { code, stdout, stderr } = await runHere(args);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
});

test("the GitHub action passes only options that check has", async () => {
  const file = new URL("../../../.github/actions/check-models/action.yml", import.meta.url);
  const check = commands.find(({ name }) => name === "check");
  const script = (await readFile(file, "utf8")).split("run: |")[1] ?? "";
  const used = [...script.matchAll(/ --([a-z-]+)|\(--([a-z-]+)/g)].map(([, a, b]) => a ?? b ?? "");
  expect(used.filter((name) => name !== "yes").sort()).toEqual([
    "allow-stale",
    "baseline",
    "exclude",
    "feed",
    "format",
    "source",
    "within",
  ]);
  for (const name of used)
    if (name !== "yes") expect(Object.keys(check?.options ?? {})).toContain(name);
});
