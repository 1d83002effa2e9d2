import { HttpError, sleep } from "@proj/http-client";
import type { JobStore } from "@proj/session-store";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import { retryStore } from "./store-retry.ts";

export interface FindRewardStepOptions {
  readonly gateway: Pick<GatewayClient, "latestSuccessStep">;
  readonly store: Pick<JobStore, "hasStep" | "readLargestSuccessStep">;
  readonly session_id: string;
  readonly model: string;
  /** How often to look again for a row that is not visible yet. @default 3 */
  readonly retries?: number | undefined;
  /** Between two looks, in milliseconds. @default 10_000 */
  readonly retryDelayMs?: number | undefined;
  /** How long a read is retried while the storage is unavailable, in milliseconds. @default 60_000 */
  readonly storeTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RewardStep {
  readonly step_id: number;
  /** What named the step: the gateway, whose row is in the storage, or the storage alone. */
  readonly found: "gateway" | "storage";
}

/** How long the gateway may take to name the step, in milliseconds. Short, because the storage knows it too. */
const gatewayTimeoutMs = 10_000;

/**
 * The step that a session's reward belongs to (specification, "Endpoints", rule 2): the latest success that the
 * gateway knows, once its row is visible; otherwise the largest step in storage whose `meta_json.status_code` is 200.
 * A gateway that fails to answer is not asked again.
 * @returns null: no step has succeeded
 * @throws StoreUnavailableError; the signal's reason
 */
export async function findRewardStep(options: FindRewardStepOptions): Promise<RewardStep | null> {
  const { store, session_id, model, signal, retries = 3, retryDelayMs = 10_000 } = options;
  const storeRetry = { timeoutMs: options.storeTimeoutMs ?? 60_000, signal };
  const named = await askGateway(options);
  if (named !== null) {
    for (let look = 0; look <= retries; look += 1) {
      if (look > 0) await sleep(retryDelayMs, signal);
      if (await retryStore(() => store.hasStep({ session_id, model, step_id: named }), storeRetry))
        return { step_id: named, found: "gateway" };
    }
  }
  const largest = await retryStore(
    () => store.readLargestSuccessStep({ session_id, model }),
    storeRetry,
  );
  return largest === null ? null : { step_id: largest, found: "storage" };
}

/** Null: no step has succeeded, or the gateway could not answer. */
async function askGateway(options: FindRewardStepOptions): Promise<number | null> {
  const { gateway, session_id, model, signal } = options;
  const once = { signal, retry: false, timeoutMs: gatewayTimeoutMs } as const;
  try {
    return await gateway.latestSuccessStep(session_id, model, once);
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
}
