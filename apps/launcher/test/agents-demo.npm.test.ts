import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { isLeftOut, startProcess, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { installed } from "./agents/installed-programs.ts";

const demo = fileURLToPath(new URL("../examples/demo/main.ts", import.meta.url));
const bin = installed.find(({ name }) => name === "codex")?.bin ?? null;
const leftOut = isLeftOut(
  "the demo with the program codex",
  bin !== null,
  "it needs npm and its registry",
);

test.skipIf(leftOut)("the demo shows a program with the built-in model", async () => {
  await using folder = await temporaryFolder();
  const env = { FORCE_COLOR: undefined, PATH: `${bin}${delimiter}${process.env.PATH}` };
  await using program = startProcess([demo, "--agent", "codex"], { cwd: folder.path, env });
  expect(await program.exit(100_000), program.stdout).toEqual({ code: 0, signal: null });
  expect(program.stderr).toBe("");
  expect(program.stdout).toContain("3 simulations: 3 finished, 0 failed");
  expect(program.stdout).toContain("mean reward 1\n");
  const rows = [...program.stdout.matchAll(/^(\S+) +finished +1 +\d+ +1 {2}\S+$/gm)];
  expect(rows.map(([, simulation_id]) => simulation_id)).toEqual(["difference", "sum.1", "sum.2"]);
});
