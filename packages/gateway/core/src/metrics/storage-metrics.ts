import type { StorageMeasures } from "@proj/session-store";
import { Gauge, type Registry } from "prom-client";
import { createCounter } from "./series.ts";

/** Metrics of the SQLite file; the returned function registers them on its first call and updates them. */
export function createStorageMetrics(registry: Registry): (measures: StorageMeasures) => void {
  const registers = [registry];
  const create = () => ({
    wal: new Gauge({
      name: "gateway_storage_wal_bytes",
      help: "Size of the WAL beside the database file.",
      registers,
    }),
    free: new Gauge({
      name: "gateway_storage_free_bytes",
      help: "Free space on the disk of the database file.",
      registers,
    }),
    checkpoints: createCounter(registry, {
      name: "gateway_storage_checkpoints_total",
      help: "How often the WAL was moved into the database.",
    })({}),
    seconds: createCounter(registry, {
      name: "gateway_storage_checkpoint_seconds_total",
      help: "Time that moving the WAL into the database took.",
    })({}),
  });
  let metrics: ReturnType<typeof create> | null = null;
  return ({ wal_bytes, free_bytes, checkpoints, checkpoint_seconds }) => {
    // Never on PostgreSQL, where zeros would mean a full disk.
    metrics ??= create();
    metrics.wal.set(wal_bytes);
    metrics.free.set(free_bytes);
    metrics.checkpoints.value = checkpoints;
    metrics.seconds.value = checkpoint_seconds;
  };
}
