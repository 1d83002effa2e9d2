import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const rows = readFileSync(new URL("docs/faults.md", root), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Fault|---)/.test(line));

test("every row of docs/faults.md names tests that exist", () => {
  expect(rows.length).toBeGreaterThan(40);
  const tests = rows.map((row) => [...row.matchAll(/`((?:apps|bench|packages)\/\S+)`/g)]);
  expect(rows.filter((_, index) => tests[index]?.length === 0)).toEqual([]);
  const paths = tests.flat().map(([, path = ""]) => path);
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test("every test that docs/security.md names exists", () => {
  const text = readFileSync(new URL("docs/security.md", root), "utf8");
  const proofs = text.split("\n").filter((line) => line.startsWith("| "));
  expect(proofs.length).toBeGreaterThan(30);
  const paths = proofs.flatMap((row) => [...row.matchAll(/`(\S+\.test\.ts)`/g)]);
  const missing = paths.filter(([, path = ""]) => {
    const isWhole = /^(?:apps|packages)\//.test(path);
    return !existsSync(new URL(isWhole ? path : `packages/gateway/core/test/${path}`, root));
  });
  expect(missing).toEqual([]);
});
