/**
 * `guardian-program.ts MARK`: reads `+PID` and `-PID`, the leaders of the process groups of a launcher's
 * commands, a line each. When the launcher is gone, it ends what is left of them, and all processes with
 * the launcher's mark.
 */
import { createInterface } from "node:readline";
import { ProcessTree } from "./process-tree.ts";

/** As long as a launcher gives its commands. */
const graceMs = 5_000;

const [, , mark = ""] = process.argv;
const leaders = new Set<number>();
for await (const line of createInterface({ input: process.stdin })) {
  const leader = Number(line.slice(1));
  if (line.startsWith("+")) leaders.add(leader);
  else leaders.delete(leader);
}
await new ProcessTree([...leaders], mark).end(graceMs);
