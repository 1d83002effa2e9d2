import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunningProcess, type StartProcessOptions, startProcess } from "@proj/test-kit";

export const root: string = join(import.meta.dirname, "..");
const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

export function startPaperTrading(
  args: readonly string[],
  options: StartProcessOptions = {},
): RunningProcess {
  return startProcess([bin, ...args], options);
}

/** The rest of the line that begins with a name. */
export async function said(program: RunningProcess, name: string): Promise<string> {
  return (await program.line(new RegExp(`^${name} `))).slice(name.length).trim();
}
