import { getHeapStatistics } from "node:v8";
import { Counter, Gauge, type Registry } from "prom-client";
import { maxFileDescriptors, openFileDescriptors } from "./file-descriptors.ts";

/**
 * The usual process metrics, under the names that dashboards know. prom-client's own `collectDefaultMetrics`
 * starts observers that cannot be stopped, and adds labels. The returned function updates them.
 */
export function createProcessMetrics(registry: Registry): () => void {
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
  const most = maxFileDescriptors();
  const openFiles =
    most === null ? null : gauge("process_open_fds", "Open file descriptors, sockets included.");
  if (most !== null) gauge("process_max_fds", "Most open file descriptors.").set(most);
  let cpuBefore = 0;

  return () => {
    const { user, system } = process.cpuUsage();
    const cpuNow = (user + system) / 1e6;
    cpu.inc(Math.max(0, cpuNow - cpuBefore));
    cpuBefore = cpuNow;
    const heap = getHeapStatistics();
    heapTotal.set(heap.total_heap_size);
    heapUsed.set(heap.used_heap_size);
    external.set(heap.external_memory);
    const rss = residentBytes();
    if (rss !== null) resident.set(rss);
    const open = openFileDescriptors();
    if (open !== null) openFiles?.set(Math.min(open, most ?? open));
  };
}

/**
 * Node opens a file in /proc for this. Null if no descriptor is left, which must not hide the other metrics.
 */
function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}
