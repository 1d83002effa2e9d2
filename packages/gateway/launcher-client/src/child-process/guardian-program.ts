/**
 * `guardian-program.ts MARK`: reads lines of `+PID` and `-PID`, where PID leads the process group of one of the
 * launcher's commands. When the launcher is gone, it ends whatever is left of these groups, and every process that
 * has the launcher's mark.
 */
import { createInterface } from "node:readline";
import { ProcessTree } from "./process-tree.ts";

/** The same time that a launcher gives its commands. */
const graceMs = 5_000;

const [, , mark = ""] = process.argv;
const leaders = new Set<number>();
for await (const line of createInterface({ input: process.stdin })) {
  const leader = Number(line.slice(1));
  if (line.startsWith("+")) leaders.add(leader);
  else leaders.delete(leader);
}
await new ProcessTree([...leaders], mark).end(graceMs);
