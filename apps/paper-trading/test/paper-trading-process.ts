import { join } from "node:path";
import { type RunningProcess, type StartProcessOptions, startBundled } from "@proj/test-kit";

export const root: string = join(import.meta.dirname, "..");
/** The program as a user of the workspace runs it, from its sources. */
export const bin: string = join(root, "src/bin.ts");

export function startPaperTrading(
  args: readonly string[],
  options: StartProcessOptions = {},
): RunningProcess {
  return startBundled(bin, args, options);
}

/** The rest of the line that begins with a name. */
export async function said(program: RunningProcess, name: string): Promise<string> {
  return (await program.line(new RegExp(`^${name} `))).slice(name.length).trim();
}
