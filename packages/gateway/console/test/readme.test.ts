import { readFile } from "node:fs/promises";
import { startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

test("the README's code is the example, and the example runs", async () => {
  const readme = await readFile(at("README.md"), "utf8");
  const example = await readFile(at("examples/quickstart.ts"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  await using program = startProcess([at("examples/quickstart.ts").pathname]);
  expect(await program.exit()).toEqual({ code: 0, signal: null });
});
