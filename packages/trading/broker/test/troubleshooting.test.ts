import { readFileSync } from "node:fs";
import { errorCodes } from "@proj/trading-client/wire";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../../docs/troubleshooting.md", import.meta.url), "utf8");

test("docs/troubleshooting.md has every code of a refusal", () => {
  const rows = [...page.matchAll(/^\| (\d+(?:, \d+)*) \|/gm)];
  const documented = rows.flatMap(([, codes = ""]) => codes.split(", ").map(Number));
  expect(documented).toEqual(Object.values(errorCodes).toSorted((a, b) => a - b));
});
