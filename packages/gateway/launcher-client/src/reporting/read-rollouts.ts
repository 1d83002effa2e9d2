import {
  type AttemptUsage,
  countToolFailures,
  type EnvironmentRow,
  type JobStore,
  jobEnvironments,
  readJobScores,
  type UsagePage,
} from "@proj/session-store";
import type { ReportedRollout } from "../statistics/index.ts";
import { rolloutOf } from "../statistics/index.ts";

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
  const scores = isReward ? null : await scoresBySession(store, job_id, score, author);
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

/** The mean over all that was said of each session. */
async function scoresBySession(
  store: Pick<JobStore, "readScores">,
  job_id: string,
  name: string,
  author: string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, { total: number; n: number }>();
  for await (const score of readJobScores(store, job_id)) {
    const isAsked = score.name === name && (author === undefined || score.author === author);
    if (!isAsked || score.value === null) continue;
    const { total, n } = found.get(score.session_id) ?? { total: 0, n: 0 };
    found.set(score.session_id, { total: total + score.value, n: n + 1 });
  }
  return new Map([...found].map(([session_id, { total, n }]) => [session_id, total / n]));
}
