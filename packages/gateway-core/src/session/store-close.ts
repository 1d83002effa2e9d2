import { setTimeout as delay } from "node:timers/promises";
import type { SessionStore } from "@proj/session-store";

const againMs = 1_000;
const longestMs = 24 * 60 * 60 * 1_000;

/**
 * Says in storage that a session is closed. Resolves when that is stored, be it when a storage that
 * is out of reach is back; after a day it gives up.
 */
export async function storeClose(store: SessionStore, session_id: string): Promise<void> {
  const until = performance.now() + longestMs;
  while (performance.now() < until) {
    try {
      await store.closeSession(session_id);
      return;
    } catch {
      // The process may end meanwhile: a gateway that is gone has told what it could.
      await delay(againMs, undefined, { ref: false });
    }
  }
}
