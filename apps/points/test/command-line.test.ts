import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseCommandLine, UsageError } from "../src/command-line.ts";
import { usage } from "../src/usage.ts";
import { runHere, workplace } from "./program.ts";

test("--help says how to use it, and exits with 0", async () => {
  const { code, stdout } = await runHere("--help");
  expect(code).toBe(0);
  for (const word of ["serve", "import", "snapshot", "--config", "Exit codes"])
    expect(stdout).toContain(word);
});

test("--version prints the version", async () => {
  expect(await runHere("--version")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\./),
  });
});

test("the README has every option", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const options = usage.match(/--[a-z-]+/g)?.filter((option) => !/help|version/.test(option)) ?? [];
  expect(options.length).toBeGreaterThan(7);
  for (const option of options) expect(readme).toContain(option);
});

test.each([
  [["frobnicate"], /unknown command 'frobnicate'; there are serve, import and snapshot/],
  [["--confg", "x"], /--confg/],
  [["serve", "extra"], /extra/],
  [["--port", "many"], /--port must be a number from 0 to 65535, not 'many'/],
  [["--port", "65536"], /--port must be/],
  [["import", "-c", "x"], /import takes one file, not 0/],
  [["import", "a", "b", "-c", "x"], /import takes one file, not 2/],
  [["import", "a"], /import needs --config FILE/],
  [["import", "a", "-c", "x", "--format", "xml"], /--format must be csv or jsonl, not 'xml'/],
  [["import", "a", "-c", "x", "--on-error", "go"], /--on-error must be refuse or skip, not 'go'/],
  [["import", "a", "-c", "x", "--content", "--on-error", "skip"], /does not go with --content/],
  [["snapshot"], /snapshot needs --config FILE/],
  [["snapshot", "-c", "x", "more"], /more/],
])("%j is refused", (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(UsageError);
  expect(() => parseCommandLine(args)).toThrow(message);
});

test("what is not said has its default", () => {
  const serve = { kind: "serve", config: null, host: null, port: null };
  expect(parseCommandLine([])).toEqual(serve);
  expect(parseCommandLine(["--", "serve"])).toEqual(serve);
  expect(parseCommandLine(["import", "f", "-c", "x"])).toEqual({
    ...{ kind: "import", config: "x", file: "f", format: null, onError: "refuse" },
    ...{ isContent: false, json: false },
  });
});

test("a command line that is wrong says what is, how it is used, and exits with 2", async () => {
  const { code, stdout, stderr } = await runHere("import", "x");
  expect(code).toBe(2);
  expect(stderr).toMatch(/^points: import needs --config FILE\n\nUsage: points/);
  expect(stdout).toBe("");
});

test("wrong settings are all told, and exit with 2", async () => {
  await using place = await workplace("listen_hots: x\npool_size: 0");
  for (const args of [
    ["-c", place.config],
    ["snapshot", "-c", place.config],
  ]) {
    const { code, stderr } = await runHere(...args);
    expect(code).toBe(2);
    expect(stderr).toContain("points.yaml cannot be used");
    expect(stderr).toContain("listen_hots is no setting");
    expect(stderr).toContain("pool_size");
  }
});

test.each([
  ["no-such.yaml", null, /no-such.yaml cannot be used/],
  ["bad.yaml", "program: [", /bad.yaml cannot be used/],
  ["text.yaml", "hello", /must be a map/],
])("%s is said to be wrong, with exit code 2", async (name, text, message) => {
  await using place = await workplace();
  const path = text === null ? name : await place.write(name, text);
  const { code, stderr } = await runHere("snapshot", "--config", path);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
