import { expect, test } from "vitest";

test("the quick start runs, and its assertions hold", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the example of jobs runs, and its assertions hold", async () => {
  await expect(import("../examples/jobs.ts")).resolves.toBeDefined();
});
