import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documentedKeys } from "./config/documented-keys.ts";

const folder = new URL("..", import.meta.url);
const readme = readFileSync(new URL("README.md", folder), "utf8");

test("the README's table is the schema", () => {
  const rows = documentedKeys().map(([path, { description, default: fallback }]) => {
    const shown = fallback === undefined ? "" : `\`${JSON.stringify(fallback)}\` `;
    return `| \`${path}\` | ${shown}| ${description} |`;
  });
  const table = readme.slice(readme.indexOf("| Key ")).split("\n\n")[0] ?? "";
  const [, , ...written] = table.replaceAll(/ +/g, " ").split("\n");
  expect(written).toEqual(rows);
});
