import { fileURLToPath } from "node:url";
import { countModules } from "@proj/test-kit";
import { expect, test } from "vitest";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

test.each([
  ["--help"],
  ["help", "check"],
  ["init", "--help"],
  ["completion", "bash"],
  ["--version"],
])("gateway %s loads no command's work", async (...args) => {
  expect(await countModules(bin, args)).toBeLessThanOrEqual(150);
});
