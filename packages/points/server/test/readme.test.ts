import { quickstartOf } from "@proj/test-kit";
import { expect, test } from "vitest";

// With the default niceness, its snapshot would wait as long as other tests keep every core busy.
test("the quick start runs, and its assertions hold", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the README's code is the example", () => {
  const { readme, block } = quickstartOf(import.meta.url);
  expect(readme).toContain(block);
});
