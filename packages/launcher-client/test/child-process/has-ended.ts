import { readFileSync } from "node:fs";
import { waitFor } from "@proj/test-kit";

/** Whether a process has ended. One that nobody has asked yet how it did (a zombie) has. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return false;
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

/** For a process that was killed and not waited for. */
export const untilEnded = (pid: number): Promise<boolean> =>
  waitFor(() => hasEnded(pid) || null, `process ${pid} to end`);
