import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("./store-program.ts", import.meta.url));

/** Node's arguments to run a command of the store program. */
export const nodeArguments = (command: string, ...args: string[]): string[] => [
  "--conditions=@proj/source",
  program,
  command,
  ...args,
];

/** Starts it; it is killed when the test has finished, if not before. */
export function start(command: string, args: string[], uid?: number): ChildProcess {
  const stdio = ["pipe", "pipe", "inherit"] as const;
  const child = spawn(command, args, { stdio: [...stdio], ...(uid === undefined ? {} : { uid }) });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** The lines that a process writes, one after the other. */
export function linesOf(child: ChildProcess): AsyncIterator<string, undefined> {
  if (child.stdout === null) throw new Error("The process writes to a pipe.");
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
}
