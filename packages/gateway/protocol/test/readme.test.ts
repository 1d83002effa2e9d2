import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documentedKeys } from "./config/documented-keys.ts";

const folder = new URL("..", import.meta.url);
const readme = readFileSync(new URL("README.md", folder), "utf8");

test("the README's code is the example", () => {
  const example = readFileSync(new URL("examples/quickstart.ts", folder), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});

test("the example runs", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@proj/source", "examples/quickstart.ts"],
    { cwd: folder, encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("the README's table is the schema", () => {
  const rows = documentedKeys().map(([path, { description, default: fallback }]) => {
    const shown = fallback === undefined ? "" : `\`${JSON.stringify(fallback)}\` `;
    return `| \`${path}\` | ${shown}| ${description} |`;
  });
  const table = readme.slice(readme.indexOf("| Key ")).split("\n\n")[0] ?? "";
  const [, , ...written] = table.replaceAll(/ +/g, " ").split("\n");
  expect(written).toEqual(rows);
});
