import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("..", import.meta.url);

test("the README's code is the example", () => {
  const readme = readFileSync(new URL("README.md", folder), "utf8");
  const example = readFileSync(new URL("examples/quickstart.ts", folder), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});
