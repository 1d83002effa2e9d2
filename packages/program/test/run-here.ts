import { vi } from "vitest";
import { type Program, type RunOptions, runProgram } from "../src/index.ts";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, and collects what it prints. */
export async function runHere(
  program: Program,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      said.stdout += text;
      return true;
    }),
    vi.spyOn(console, "error").mockImplementation((text) => {
      said.stderr += `${text}\n`;
    }),
  ];
  try {
    return { code: await runProgram(program, args, options), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
