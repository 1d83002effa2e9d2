import type { SessionFork } from "@proj/session-store";
import { sessionSteps } from "@proj/session-store/answers";
import type { Launch } from "../launch.ts";
import { retryStore } from "../reward/store-retry.ts";
import { AttemptFailure } from "./attempt-failure.ts";

/**
 * A fork that did not come as far as the step it should continue from began somewhere else than its siblings, so it
 * must not be compared with them. A replay needs no check: the gateway refuses what is not in the record.
 * @throws AttemptFailure fork_diverged; StoreUnavailableError; the signal's reason
 */
export async function requireFollowed(
  fork: SessionFork | null,
  session_id: string,
  { store, timeouts }: Pick<Launch, "store" | "timeouts">,
  signal: AbortSignal,
): Promise<void> {
  if (fork === null || fork.mode !== "fork" || fork.step === null) return;
  const { model, step } = fork;
  const within = { timeoutMs: timeouts.storageMs, signal };
  let diverged: string | null = null;
  const reached = await retryStore(async () => {
    for await (const row of sessionSteps(store, session_id)) {
      const meta = JSON.parse(row.meta_json);
      if (row.model === model && meta.replayed_from?.step_id === step) return true;
      diverged ??= meta.diverged ?? null;
    }
    return false;
  }, within);
  if (reached) return;
  const why = diverged === null ? "it ended before" : `its request differs from ${diverged}`;
  throw new AttemptFailure("fork_diverged", `did not repeat the record up to step ${step}: ${why}`);
}
