import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { cpuMicroseconds } from "./process-figures.ts";

const OBSERVED_MS = 2000;
const LEAST_IDLE_SHARE = 0.93;

/** Why figures measured now would be worthless; null if the machine is idle. Takes two seconds. */
export async function reasonToRefuse(): Promise<string | null> {
  const load = loadavg()[0] ?? 0;
  const cores = cpus().length;
  if (load > cores) {
    return `the load average is ${load.toFixed(2)} on ${cores} cores`;
  }
  const busyShare = watchOthers([]);
  await delay(OBSERVED_MS);
  const idleShare = 1 - busyShare();
  if (idleShare < LEAST_IDLE_SHARE) {
    return `the cores are only ${Math.round(idleShare * 100)} % idle (needed: ${LEAST_IDLE_SHARE * 100} %)`;
  }
  return null;
}

/**
 * Begins to watch what others than these processes use. The function that it returns tells their share of all cores'
 * time since, 0 to 1, with what the host of a virtual machine gave to others.
 */
export function watchOthers(pids: readonly number[]): () => number {
  const own = (): number => pids.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0) / 10_000;
  const [before, ownBefore] = [cpuTicks(), own()];
  return () => {
    const now = cpuTicks();
    const busy = now.busy - before.busy - (own() - ownBefore);
    return Math.max(0, busy / (now.total - before.total));
  };
}

/** Others use too much for a figure to be trusted. */
export const isTooMuch = (share: number): boolean => 1 - share < LEAST_IDLE_SHARE;

/** Of all cores so far, in hundredths of a second: proc(5), `/proc/stat`. */
function cpuTicks(): { readonly busy: number; readonly total: number } {
  const [all = ""] = readFileSync("/proc/stat", "latin1").split("\n");
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is in them.
  const ticks = all.split(/\s+/).slice(1, 9).map(Number);
  const total = ticks.reduce((sum, each) => sum + each, 0);
  const [, , , idle = 0, iowait = 0] = ticks;
  return { busy: total - idle - iowait, total };
}
