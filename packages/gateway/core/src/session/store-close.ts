import { setTimeout as delay } from "node:timers/promises";
import type { SessionStore } from "@proj/session-store";

const againMs = 1_000;
const maxMs = 24 * 60 * 60 * 1_000;

/**
 * Stores that a session is closed. Resolves when that is stored, even if storage has to come back first; gives
 * up after a day, or when the gateway ends.
 */
export async function storeClose(
  store: Pick<SessionStore, "closeSession">,
  session_id: string,
  ending: AbortSignal,
): Promise<void> {
  const until = performance.now() + maxMs;
  while (performance.now() < until && !ending.aborted) {
    try {
      await store.closeSession(session_id);
      return;
    } catch {
      // The process may exit meanwhile: a gateway that is gone has reported what it could.
      await delay(againMs, undefined, { ref: false, signal: ending }).catch(() => {});
    }
  }
}
