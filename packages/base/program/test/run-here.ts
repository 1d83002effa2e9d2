import { type CapturedEnd, captureOutput } from "@proj/test-kit";
import { type Program, type RunOptions, runProgram } from "../src/index.ts";

/** Runs a command line in this process, and collects its output. */
export const runHere = (
  program: Program,
  args: readonly string[],
  options: RunOptions = {},
): Promise<CapturedEnd> => captureOutput(() => runProgram(program, args, options));
