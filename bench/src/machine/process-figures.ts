import { readFileSync, writeFileSync } from "node:fs";

/** Clock ticks per second in `/proc/PID/stat`; 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** User and system time of all threads of a process so far, in microseconds; NaN without `/proc`. */
export function cpuMicroseconds(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return Number.NaN;
  }
  // The command's name is in parentheses and may contain blanks, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
  return ((userTicks + systemTicks) * 1_000_000) / TICKS_PER_SECOND;
}

/** The largest resident set so far, in MB (10^6 bytes); NaN without `/proc`. */
export function peakMemoryMb(pid: number): number {
  return statusMb(pid, "VmHWM");
}

/** Resets the peak (proc(5), `clear_refs`); if that is refused, the peak covers the process's whole life. */
export function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // The peak of the process's whole life is still an upper bound.
  }
}

function statusMb(pid: number, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
    return (Number(kibibytes) * 1024) / 1_000_000;
  } catch {
    return Number.NaN;
  }
}
