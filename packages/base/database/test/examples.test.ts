import { expect, test } from "vitest";

test("the example runs to its end", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});
