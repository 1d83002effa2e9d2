import { isLeftOut } from "@proj/test-kit";
import { expect, test } from "vitest";
import { ClientRunner } from "../src/clients/client-runner.ts";
import { installedPrograms, mainPrograms, runProgram } from "../src/clients/programs.ts";

// The launcher's agents on a route with an engine: every token that the model sampled reaches a trainer.

const fetches = Boolean(process.env.REQUIRE_ALL_SUITES);
const programs = fetches ? await installedPrograms(mainPrograms) : [];
const leftOut = isLeftOut(
  "agents with an engine",
  programs.length > 0,
  "REQUIRE_ALL_SUITES fetches them from npm",
);

test.skipIf(leftOut)("agents lose no token", { timeout: 900_000 }, async () => {
  await using runner = await ClientRunner.start();
  for (const program of programs)
    expect([program.name, await runProgram(program, runner)]).toEqual([program.name, null]);
});
