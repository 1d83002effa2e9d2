import type { JobStore } from "./job-store.ts";
import type { PrunableQuery } from "./prune.ts";

/** Sessions of one call: their first transaction then has enough rows, and an abort comes soon enough. */
const sessionsPerCall = 100;

export interface PruneOptions extends Omit<PrunableQuery, "after"> {
  /** Whether to count only. @default false */
  readonly isDryRun?: boolean;
  /** Ends it between two calls; what was pruned until then stays pruned. */
  readonly signal?: AbortSignal | undefined;
}

export interface PrunedCounts {
  readonly sessions: number;
  readonly rows: number;
  /** Of payloads, without the values that are stored once for a job. */
  readonly bytes: number;
}

/**
 * Prunes all sessions that may be pruned, or counts them.
 * @throws StoreUnavailableError storage could not be reached; the next run continues. An abort's reason
 */
export async function pruneOld(
  jobs: Pick<JobStore, "findPrunable" | "pruneSessions">,
  { isDryRun = false, signal, ...query }: PruneOptions,
): Promise<PrunedCounts> {
  let [sessions, rows, bytes] = [0, 0, 0];
  for (let after: number | null = 0; after !== null; ) {
    signal?.throwIfAborted();
    const page = await jobs.findPrunable({ ...query, after });
    const { session_ids } = page;
    for (let first = 0; first < session_ids.length && !isDryRun; first += sessionsPerCall) {
      signal?.throwIfAborted();
      const some = session_ids.slice(first, first + sessionsPerCall);
      await jobs.pruneSessions({ ...query, session_ids: some });
    }
    sessions += session_ids.length;
    rows += page.rows;
    bytes += page.bytes;
    after = page.next_after;
  }
  return { sessions, rows, bytes };
}
