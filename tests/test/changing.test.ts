import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs/changing.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| [a-z]/.test(line));

test("docs/changing.md names only files that exist", () => {
  const named = [...page.matchAll(/`((?:packages|apps)\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("files without a folder lie in one that their row names", () => {
  for (const row of rows) {
    const folders = [...row.matchAll(/`((?:packages|apps)\/[^`]+)`/g)].map(([, path = ""]) => path);
    for (const [, file = ""] of row.matchAll(/`((?!packages|apps)[\w/-]+\.tsx?)`/g))
      expect(
        folders.some((folder) => existsSync(join(root, folder, file))),
        file,
      ).toBe(true);
  }
});
