import { readFile } from "node:fs/promises";
import { loadProgram } from "@proj/program";
import { expect, test } from "vitest";
import { points } from "../src/main.ts";
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
  const options = (await loadProgram(points)).commands.flatMap(({ options }) =>
    Object.keys(options),
  );
  expect(options.length).toBeGreaterThan(7);
  for (const option of options) expect(readme).toContain(`--${option}`);
});

test.each([
  [["frobnicate"], /unknown command 'frobnicate'; there are serve, check, import, snapshot/],
  [["import", "-c", "x"], /import needs FILE/],
  [["import", "a", "b", "-c", "x"], /import takes one FILE, not also 'b'/],
  [["import", "a"], /import needs --config FILE/],
  [["import", "a", "-c", "x", "--format", "xml"], /--format must be csv or jsonl, not 'xml'/],
  [["import", "a", "-c", "x", "--on-error", "go"], /--on-error must be refuse or skip, not 'go'/],
  [["import", "a", "-c", "x", "--content", "--on-error", "skip"], /cannot be used with --content/],
  [["snapshot"], /snapshot needs --config FILE/],
])("%j is refused", async (args, message) => {
  const { code, stdout, stderr } = await runHere(...args);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
});

test("all errors in the settings are reported, with exit code 2", async () => {
  await using place = await workplace("listen_hots: x\npool_size: 0");
  for (const args of [
    ["-c", place.config],
    ["snapshot", "-c", place.config],
  ]) {
    const { code, stderr } = await runHere(...args);
    expect(code).toBe(2);
    expect(stderr).toContain("points.yaml: 2 errors");
    expect(stderr).toContain("listen_hots: is not a known key; did you mean listen_host?");
    expect(stderr).toContain("pool_size");
  }
});

test.each([
  ["no-such.yaml", null, /no-such.yaml: 1 error\n {2}there is no such file/],
  ["bad.yaml", "program: [", /bad.yaml: 1 error\n {2}1:/],
  ["text.yaml", "hello", /expected keys and values, found "hello"/],
])("%s is refused, with exit code 2", async (name, text, message) => {
  await using place = await workplace();
  const path = text === null ? name : await place.write(name, text);
  const { code, stderr } = await runHere("snapshot", "--config", path);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
