import { getHeapStatistics } from "node:v8";
import { Gauge, type Registry } from "prom-client";
import { maxFileDescriptors, openFileDescriptors } from "./file-descriptors.ts";
import { createCounter } from "./series.ts";

/**
 * The usual process metrics, under the names that dashboards know. prom-client's own `collectDefaultMetrics`
 * starts observers that cannot be stopped, and adds labels. The returned function updates them.
 */
export function createProcessMetrics(registry: Registry): () => void {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const cpu = createCounter(registry, {
    name: "process_cpu_seconds_total",
    help: "CPU time that all threads of the process have used, user and system.",
  })({});
  const startTime = gauge("process_start_time_seconds", "Start of the process, since the epoch.");
  startTime.set(performance.timeOrigin / 1_000);
  const resident = gauge("process_resident_memory_bytes", "Resident memory.");
  const heapTotal = gauge("nodejs_heap_size_total_bytes", "Size of the JavaScript heap.");
  const heapUsed = gauge("nodejs_heap_size_used_bytes", "Used part of the JavaScript heap.");
  const external = gauge("nodejs_external_memory_bytes", "Memory of buffers outside the heap.");
  const most = maxFileDescriptors();
  const openFiles =
    most === null ? null : gauge("process_open_fds", "Open file descriptors, sockets included.");
  if (most !== null) gauge("process_max_fds", "Limit on open file descriptors.").set(most);

  return () => {
    const { user, system } = process.cpuUsage();
    cpu.value = Math.max(cpu.value, (user + system) / 1e6);
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

/** Null if no file descriptor is left, as Node opens a file in /proc. That must not hide the other metrics. */
function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}
