import { quickstartOf, startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";

test.each([
  ["quickstart", "Hello Ada on 80\n"],
  ["configuration", ""],
  ["page", ""],
])("the README shows the example %s, which runs", async (example, stdout) => {
  const { readme, block, path } = quickstartOf(import.meta.url, example);
  expect(readme).toContain(block);
  await using program = startProcess([path]);
  expect(await program.exit()).toEqual({ code: 0, signal: null });
  expect(program.stdout).toBe(stdout);
});
