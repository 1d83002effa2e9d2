import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** Codes as the sources write them: the errors' own, and a failure's kind behind what failed. */
function codesOf(source: string): string[] {
  const kinds = [
    ...read("packages/gateway/launcher-client/src/answer/answer-failure.ts").matchAll(union),
  ];
  return [
    ...[...source.matchAll(/new (?:AttemptFailure|StartupError)\(\s*"(\w+)"/g)],
    ...[...source.matchAll(union)].filter(([, code = ""]) => code.includes("_")),
  ]
    .map(([, code = ""]) => code)
    .concat(
      [...source.matchAll(/`(\w+_)\$\{FailureKind\}`/g)].flatMap(([, what]) =>
        kinds.map(([, kind]) => `${what}${kind}`),
      ),
    );
}
const union = /^ {2}\| "(\w+)"/gm;

test("docs/troubleshooting.md has every code of a start or an attempt that failed", () => {
  const page = read("docs/troubleshooting.md");
  const files = globSync(
    "packages/gateway/launcher-client/src/{preflight,simulation,runtime,evaluator}/*.ts",
    {
      cwd: root,
    },
  );
  const codes = new Set(files.flatMap((file) => codesOf(read(file))));
  expect(codes.size).toBeGreaterThan(25);
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
