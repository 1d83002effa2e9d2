import { quickstartOf, startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";

test("the code in the README is the example's code, which runs", async () => {
  const { readme, block, path } = quickstartOf(import.meta.url);
  expect(readme).toContain(block);
  await using program = startProcess([path]);
  expect(await program.exit()).toEqual({ code: 0, signal: null });
});
