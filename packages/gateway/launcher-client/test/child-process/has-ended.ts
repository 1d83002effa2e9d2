import { readFileSync } from "node:fs";
import { waitFor } from "@proj/test-kit";

/** Whether a process has ended. A zombie, whose exit status its parent has not read, counts as ended. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return false;
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

/** Waits for the end of a process that was killed but not waited for. */
export const untilEnded = (pid: number): Promise<boolean> =>
  waitFor(() => hasEnded(pid) || null, `process ${pid} to end`);
