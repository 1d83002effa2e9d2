import { readdir } from "node:fs/promises";
import { Counter, Gauge, type Registry } from "prom-client";

/**
 * The usual metrics of a process, under the names that dashboards know. prom-client's own
 * `collectDefaultMetrics` starts observers that nothing can stop, and brings further labels.
 * The function returned brings them up to date.
 */
export function createProcessMetrics(registry: Registry): () => Promise<void> {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const cpu = new Counter({
    name: "process_cpu_seconds_total",
    help: "Time of CPU that the process has used, in user and system mode, all threads.",
    registers,
  });
  const startTime = gauge("process_start_time_seconds", "Start of the process, since the epoch.");
  startTime.set(performance.timeOrigin / 1_000);
  const resident = gauge("process_resident_memory_bytes", "Resident memory.");
  const heapTotal = gauge("nodejs_heap_size_total_bytes", "Size of the heap of JavaScript.");
  const heapUsed = gauge("nodejs_heap_size_used_bytes", "Heap of JavaScript that is in use.");
  const external = gauge("nodejs_external_memory_bytes", "Memory of buffers outside the heap.");
  const openFiles =
    process.platform === "linux"
      ? gauge("process_open_fds", "Open file descriptors, sockets included.")
      : null;
  let cpuBefore = 0;

  return async () => {
    const { user, system } = process.cpuUsage();
    const cpuNow = (user + system) / 1e6;
    cpu.inc(Math.max(0, cpuNow - cpuBefore));
    cpuBefore = cpuNow;
    const memory = process.memoryUsage();
    resident.set(memory.rss);
    heapTotal.set(memory.heapTotal);
    heapUsed.set(memory.heapUsed);
    external.set(memory.external);
    if (openFiles !== null) openFiles.set(await countOpenFiles());
  };
}

/** Without the descriptor that reading the folder itself needs; 0 where the system hides them. */
async function countOpenFiles(): Promise<number> {
  const entries = await readdir("/proc/self/fd").catch(() => []);
  return Math.max(0, entries.length - 1);
}
