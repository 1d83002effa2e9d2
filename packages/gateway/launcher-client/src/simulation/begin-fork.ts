import { ApiError, HttpError } from "@proj/http-client";
import type { EnvironmentRow, SessionFork } from "@proj/session-store";
import type { Launch } from "../launch.ts";
import { retryStore } from "../reward/store-retry.ts";
import { AttemptFailure } from "./attempt-failure.ts";

/**
 * If the simulation begins from another session's record, has the gateway answer the attempt's session from it. The
 * gateway decides whether that is possible.
 * @returns what the session begins from; null: nothing
 * @throws AttemptFailure it is not, or the gateway did not answer; StoreUnavailableError
 */
export async function beginFork(
  { session_id }: Pick<EnvironmentRow, "session_id">,
  { store, gateway, timeouts }: Pick<Launch, "store" | "gateway" | "timeouts">,
  signal: AbortSignal,
): Promise<SessionFork | null> {
  const fork = await retryStore(() => store.readFork(session_id), {
    timeoutMs: timeouts.storageMs,
    signal,
  });
  if (fork === null) return null;
  const { from_session_id: from, model, step, mode, ignore } = fork;
  const retry = { retries: Number.POSITIVE_INFINITY, totalMs: timeouts.closeMs };
  try {
    await gateway.fork(session_id, { from, model, step, mode, ignore }, { signal, retry });
    return fork;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status < 500)
      throw new AttemptFailure("fork_refused", error.detail ?? error.message);
    if (error instanceof HttpError) throw new AttemptFailure("gateway_unavailable", error.message);
    throw error;
  }
}
