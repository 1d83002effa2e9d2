import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as tradingArena from "../src/index.ts";

const folder = new URL("..", import.meta.url);

test("the README's code is the example", () => {
  const readme = readFileSync(new URL("README.md", folder), "utf8");
  const example = readFileSync(new URL("examples/quickstart.ts", folder), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});

test("the example runs and its assertions hold", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
}, 600_000);

test("the public names change only on purpose", () => {
  expect(Object.keys(tradingArena).sort()).toEqual(["openArena"]);
});
