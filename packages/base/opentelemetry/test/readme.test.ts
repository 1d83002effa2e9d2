import { quickstartOf } from "@proj/test-kit";
import { expect, test } from "vitest";

test("the README's code is the example", () => {
  const { readme, block } = quickstartOf(import.meta.url);
  expect(readme).toContain(block);
});
