import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Resolves once the program is gone. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
