import type { JobStore, RewardCommit, RewardCommitOutcome } from "@proj/session-store";
import { retryStore } from "./store-retry.ts";

export interface CommitRewardOptions {
  /** How long it is tried again while the storage is unavailable, in milliseconds. @default 60_000 */
  readonly storeTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Commits a reward and the end of its attempt. A commit whose acknowledgement was lost is
 * `already_committed` when it is tried again.
 * @throws StoreUnavailableError the storage was unavailable for all that time; the signal's reason
 */
export async function commitReward(
  store: Pick<JobStore, "commitReward">,
  commit: RewardCommit,
  { storeTimeoutMs = 60_000, signal }: CommitRewardOptions = {},
): Promise<RewardCommitOutcome> {
  return retryStore(() => store.commitReward(commit), { timeoutMs: storeTimeoutMs, signal });
}
