import {
  type AttemptUsage,
  type EnvironmentRow,
  type JobStore,
  jobEnvironments,
  readJobScores,
  type Score,
  type UsagePage,
} from "@proj/session-store";
import { countToolFailures } from "@proj/session-store/answers";
import type { ReportedRollout } from "../statistics/index.ts";
import { meanScores, rolloutOf } from "../statistics/index.ts";

export interface RolloutQuery {
  readonly job_id: string;
  /** Which of the named scores. @default reward */
  readonly score?: string | undefined;
  /** Only what this author said, such as `judge:strict`. @default the reward's own; of other scores, all authors */
  readonly author?: string | undefined;
  /** Count failed tool calls, which reads every step. @default false */
  readonly tools?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The newest attempt of each simulation of a job, as statistics see it. @throws StoreUnavailableError */
export async function readRollouts(
  store: Pick<JobStore, "readEnvironments" | "readUsage" | "readSteps" | "readScores">,
  { job_id, score = "reward", author, tools = false, signal }: RolloutQuery,
): Promise<readonly ReportedRollout[]> {
  const newest = new Map<string, EnvironmentRow>();
  for await (const row of jobEnvironments(store, job_id)) newest.set(row.simulation_id, row);
  const used = await readUsage(store, job_id);
  const isReward = score === "reward" && author === undefined;
  const said: Score[] = [];
  if (!isReward) for await (const each of readJobScores(store, job_id)) said.push(each);
  const scores = isReward ? null : meanScores(said, score, author ?? null);
  const rollouts: ReportedRollout[] = [];
  for (const row of newest.values()) {
    signal?.throwIfAborted();
    const usage = used.get(row.session_id);
    rollouts.push({
      ...rolloutOf(row, scores === null ? row.reward : (scores.get(row.session_id) ?? null)),
      prompt_tokens: usage?.prompt_tokens ?? 0,
      completion_tokens: usage?.completion_tokens ?? 0,
      cost_nano_usd: usage?.cost_nano_usd ?? 0,
      tool_failures: tools ? await countToolFailures(store, row.session_id) : null,
    });
  }
  return rollouts;
}

async function readUsage(store: Pick<JobStore, "readUsage">, job_id: string) {
  const used = new Map<string, AttemptUsage>();
  for (let after: UsagePage["next_after"] | undefined; after !== null; ) {
    const page: UsagePage = await store.readUsage({ job_id, after });
    for (const attempt of page.attempts) used.set(attempt.session_id, attempt);
    after = page.next_after;
  }
  return used;
}
