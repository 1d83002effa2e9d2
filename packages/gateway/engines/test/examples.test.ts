import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the quick start runs, and its assertions hold", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the README's code is the example", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  expect(read("../README.md")).toContain(`\`\`\`ts\n${read("../examples/quickstart.ts")}\`\`\``);
});
