import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseCommandLine, UsageError } from "../src/command-line.ts";
import { usage } from "../src/usage.ts";
import { runHere } from "./program.ts";

test("--help says how to use it, and exits with 0", async () => {
  const { code, stdout } = await runHere(["--help"]);
  expect(code).toBe(0);
  for (const word of ["build", "serve", "check", "--within", "Exit codes"])
    expect(stdout).toContain(word);
});

test("the README has every option", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const options = usage.match(/--[a-z]+/g)?.filter((option) => !/help|version/.test(option)) ?? [];
  expect(options.length).toBeGreaterThan(15);
  for (const option of options) expect(readme).toContain(option);
});

test("--version prints the version", async () => {
  expect(await runHere(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\./),
  });
});

test("a command line that is wrong says what is, how it is used, and exits with 2", async () => {
  const { code, stdout, stderr } = await runHere(["build", "--page", "nobody=http://127.0.0.1/"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/no provider 'nobody'; there are openai, anthropic/);
  expect(stderr).toContain("Usage: deprecations build");
  expect(stdout).toBe("");
});

test.each([
  [[], /say what to do/],
  [["frobnicate"], /unknown command 'frobnicate'/],
  [["build", "extra"], /extra/],
  [["build", "--stat", "x"], /--stat/],
  [["build", "--url", "ftp://x/"], /--url must be an http/],
  [["build", "--page", "openai"], /--page must be of the form SLUG=URL/],
  [["serve", "--port", "many"], /--port must be a number from 0 to 65535, not 'many'/],
  [["check"], /check needs models/],
  [["check", "m", "--within", "-1"], /--within/],
  [["check", "m", "--format", "xml"], /--format must be text, json or github, not 'xml'/],
])("%j is refused", (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(UsageError);
  expect(() => parseCommandLine(args)).toThrow(message);
});

test("what is not said has its default", () => {
  expect(parseCommandLine(["--", "build"])).toMatchObject({
    out: "deprecations-feed",
    state: null,
  });
  expect(parseCommandLine(["serve"])).toMatchObject({ host: "127.0.0.1", port: 8080, url: null });
  expect(parseCommandLine(["check", "m-1"])).toMatchObject({
    models: ["m-1"],
    feed: "deprecations-feed/v1/feed.json",
    withinDays: 30,
    format: "text",
  });
});
