import { getHeapStatistics } from "node:v8";
import type { Registry } from "prom-client";
import { maxFileDescriptors, openFileDescriptors } from "./file-descriptors.ts";
import { exposeValue } from "./series.ts";

/**
 * The usual process metrics, under the names that dashboards know. prom-client's own `collectDefaultMetrics`
 * starts observers that cannot be stopped, and adds labels.
 */
export function exposeProcess(registry: Registry): void {
  const gauge = (name: string, help: string, read: () => number | null) =>
    exposeValue(registry, "gauge", { name, help }, read);
  const cpu = {
    name: "process_cpu_seconds_total",
    help: "CPU time that all threads of the process have used, user and system.",
  };
  exposeValue(registry, "counter", cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge(
    "process_start_time_seconds",
    "Start of the process, since the epoch.",
    () => performance.timeOrigin / 1_000,
  );
  gauge("process_resident_memory_bytes", "Resident memory.", residentBytes);
  gauge(
    "nodejs_heap_size_total_bytes",
    "Size of the JavaScript heap.",
    () => getHeapStatistics().total_heap_size,
  );
  gauge(
    "nodejs_heap_size_used_bytes",
    "Used part of the JavaScript heap.",
    () => getHeapStatistics().used_heap_size,
  );
  gauge(
    "nodejs_external_memory_bytes",
    "Memory of buffers outside the heap.",
    () => getHeapStatistics().external_memory,
  );
  const most = maxFileDescriptors();
  if (most === null) return;
  gauge("process_open_fds", "Open file descriptors, sockets included.", () => {
    const open = openFileDescriptors();
    return open === null ? null : Math.min(open, most);
  });
  gauge("process_max_fds", "Limit on open file descriptors.", () => most);
}

/** Null if no file descriptor is left, as Node opens a file in /proc. That must not hide the other metrics. */
function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}
