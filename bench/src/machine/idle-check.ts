import { cpus, loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

const OBSERVED_MS = 2000;
const LEAST_IDLE_SHARE = 0.93;

/** Why figures measured now would be worthless; null if the machine is idle. Takes two seconds. */
export async function reasonToRefuse(): Promise<string | null> {
  const load = loadavg()[0] ?? 0;
  const cores = cpus().length;
  if (load > cores) {
    return `the load average is ${load.toFixed(2)} on ${cores} cores`;
  }
  const before = cpuTimes();
  await delay(OBSERVED_MS);
  const after = cpuTimes();
  const idleShare = (after.idle - before.idle) / (after.total - before.total);
  if (idleShare < LEAST_IDLE_SHARE) {
    return `the cores are only ${Math.round(idleShare * 100)} % idle (needed: ${LEAST_IDLE_SHARE * 100} %)`;
  }
  return null;
}

function cpuTimes(): { idle: number; total: number } {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.idle + times.user + times.nice + times.sys + times.irq;
  }
  return { idle, total };
}
