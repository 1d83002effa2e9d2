import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./paper-trading-process.ts";

test("the README shows the tested configuration and bot", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const yaml = await readFile(join(root, "examples/paper-trading.yaml"), "utf8");
  const bot = await readFile(join(root, "examples/quickstart.ts"), "utf8");
  expect(readme).toContain(`\`\`\`yaml\n${yaml}\`\`\``);
  expect(readme).toContain(`\`\`\`ts\n${bot}\`\`\``);
  expect(readme).toContain("--conditions=@proj/source apps/paper-trading/examples/quickstart.ts");
});
