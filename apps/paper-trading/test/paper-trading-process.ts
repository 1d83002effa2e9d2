import { join } from "node:path";
import { type RunningProcess, type StartProcessOptions, startProcess } from "@proj/test-kit";

export const root: string = join(import.meta.dirname, "..");

export function startPaperTrading(
  args: readonly string[],
  options: StartProcessOptions = {},
): RunningProcess {
  return startProcess([join(root, "src/main.ts"), ...args], options);
}

/** What follows a name at the beginning of a line. */
export async function said(program: RunningProcess, name: string): Promise<string> {
  return (await program.line(new RegExp(`^${name} `))).slice(name.length).trim();
}
