import { isLeftOut } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ClientRunner } from "../src/clients/client-runner.ts";
import { type InstalledProgram, installProgram, mainPrograms } from "../src/clients/programs.ts";
import { maxProgramSteps, runProgram } from "../src/clients/run-program.ts";

// The launcher's agents on a route with an engine: every step continues another or says why not, and every token that
// the model sampled reaches a trainer.

// Downloading them takes longer than all the tests.
const fetches = Boolean(process.env.REQUIRE_ALL_SUITES);
const programs: (InstalledProgram | null)[] = [];
for (const name of mainPrograms) programs.push(fetches ? await installProgram(name) : null);
const leftOut = isLeftOut(
  "agents with an engine",
  !programs.includes(null),
  "REQUIRE_ALL_SUITES fetches them from npm and PyPI",
);
let runner: ClientRunner;

beforeAll(async () => {
  runner = await ClientRunner.start(maxProgramSteps);
});

afterAll(() => runner[Symbol.asyncDispose]());

test.skipIf(leftOut).concurrent.each(mainPrograms)(
  "%s loses no token",
  { timeout: 900_000 },
  async (name) => {
    const program = programs.find((program) => program?.name === name);
    if (!program) throw new Error(`${name} is not installed`);
    expect(await runProgram(program, runner)).toBeNull();
  },
);
