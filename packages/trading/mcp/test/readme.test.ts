import { quickstartOf } from "@proj/test-kit";
import { expect, test } from "vitest";
import * as tradingMcp from "../src/index.ts";

test("the README's code is the example", () => {
  const { readme, block } = quickstartOf(import.meta.url);
  expect(readme).toContain(block);
});

test("the example runs and its assertions hold", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the public names change only on purpose", () => {
  expect(Object.keys(tradingMcp).sort()).toEqual([
    "ToolError",
    "addTool",
    "createTradingMcp",
    "serveMcpHttp",
    "serveMcpStdio",
  ]);
});
