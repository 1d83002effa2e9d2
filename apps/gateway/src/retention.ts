import { setTimeout as pause } from "node:timers/promises";
import type { ServiceLog } from "@proj/gateway-core";
import type { GatewayConfig } from "@proj/gateway-protocol";
import { openJobStore, pruneOld } from "@proj/session-store";

const dayMs = 86_400_000;

/** Prunes old sessions, now and every day, if the configuration asks for it, until the signal ends it. */
export async function keepRetention(
  { retention, storage_type, storage_config }: GatewayConfig,
  log: ServiceLog,
  signal: AbortSignal,
): Promise<void> {
  const { older_than_days, keep } = retention;
  if (older_than_days === null) return;
  while (!signal.aborted) {
    try {
      const jobs = await openJobStore({ storage_type, storage_config });
      try {
        const before = new Date(Date.now() - older_than_days * dayMs).toISOString();
        const pruned = await pruneOld(jobs, { before, keep, signal });
        log.info({ ...pruned, before, keep }, "retention: pruned old sessions");
      } finally {
        await jobs.close();
      }
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      log.warn({ error: message }, "retention: could not prune; it is tried again in a day");
    }
    await pause(dayMs, null, { signal, ref: false }).catch(() => {});
  }
}
