import type { JobStore, RewardCommit, RewardCommitOutcome } from "@proj/session-store";
import { retryStore } from "./store-retry.ts";

export interface CommitRewardOptions {
  /** How long the commit is retried while the storage is unavailable, in milliseconds. @default 60_000 */
  readonly storeTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Commits a reward and the end of its attempt. Retrying a commit whose acknowledgement was lost returns
 * `already_committed`.
 * @throws StoreUnavailableError the storage was unavailable for the whole time; the signal's reason
 */
export async function commitReward(
  store: Pick<JobStore, "commitReward">,
  commit: RewardCommit,
  { storeTimeoutMs = 60_000, signal }: CommitRewardOptions = {},
): Promise<RewardCommitOutcome> {
  return retryStore(() => store.commitReward(commit), { timeoutMs: storeTimeoutMs, signal });
}
