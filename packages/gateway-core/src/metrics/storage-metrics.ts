import type { StorageMeasures } from "@proj/session-store";
import { Counter, Gauge, type Registry } from "prom-client";

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
    checkpoints: new Counter({
      name: "gateway_storage_checkpoints_total",
      help: "Times that the WAL was moved into the database.",
      registers,
    }),
    seconds: new Counter({
      name: "gateway_storage_checkpoint_seconds_total",
      help: "Time that moving the WAL into the database took.",
      registers,
    }),
  });
  let metrics: ReturnType<typeof create> | null = null;
  const before = { checkpoints: 0, checkpoint_seconds: 0 };
  return ({ wal_bytes, free_bytes, checkpoints, checkpoint_seconds }) => {
    // Never on PostgreSQL, where zeros would mean a full disk.
    metrics ??= create();
    metrics.wal.set(wal_bytes);
    metrics.free.set(free_bytes);
    metrics.checkpoints.inc(checkpoints - before.checkpoints);
    metrics.seconds.inc(checkpoint_seconds - before.checkpoint_seconds);
    Object.assign(before, { checkpoints, checkpoint_seconds });
  };
}
