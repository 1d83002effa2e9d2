import { expect, test } from "vitest";

test("the quick start runs, and what it asserts holds", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the example of jobs runs, and what it asserts holds", async () => {
  await expect(import("../examples/jobs.ts")).resolves.toBeDefined();
});
