import type { LossReason, SplitReason } from "@proj/sequences";
import type { JobStore } from "@proj/session-store";
import { endedEnvironments } from "./export-rollouts.ts";
import { type Rollout, type RolloutOptions, readRollout } from "./rollout.ts";

/** How many of a job's sampled tokens can be trained on, and what became of the rest. Counts are tokens. */
export interface JobExamination {
  readonly rollouts: number;
  /** Rollouts that were cut off before their end, by what did it; `length`: the last answer was. */
  readonly truncated_by: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly sequences: number;
  readonly captured: number;
  readonly delivered: number;
  readonly masked: number;
  readonly dropped: number;
  /** Delivered divided by captured tokens; 0 if none was captured. */
  readonly delivered_fraction: number;
  /** The number of sequences by the reason that they begin. */
  readonly breaks_by_reason: Readonly<Partial<Record<SplitReason, number>>>;
  /** Steps that are not trained on in full, with the lost tokens. */
  readonly losses_by_reason: Readonly<Partial<Record<LossReason, Loss>>>;
  /** Groups of several rollouts with equal rewards: training learns nothing from them. */
  readonly zero_variance_groups: readonly string[];
  readonly groups: number;
}

export interface Loss {
  readonly steps: number;
  readonly tokens: number;
}

/** @throws StoreUnavailableError; the signal's reason */
export async function examineJob(
  store: Pick<JobStore, "readJobs" | "readEnvironments" | "readSteps">,
  job_id: string | undefined,
  options: RolloutOptions = {},
): Promise<JobExamination> {
  const rewards = new Map<string, Set<number>>();
  const sizes = new Map<string, number>();
  const breaks: Partial<Record<SplitReason, number>> = {};
  const losses: Partial<Record<LossReason, Loss>> = {};
  const truncated: Record<string, number> = {};
  const totals = {
    rollouts: 0,
    steps: 0,
    sequences: 0,
    captured: 0,
    delivered: 0,
    masked: 0,
    dropped: 0,
  };
  for await (const environment of endedEnvironments(store, job_id, false)) {
    const rollout = await readRollout(store, environment, options);
    const { ledger } = rollout;
    totals.rollouts += 1;
    totals.steps += rollout.steps.size;
    totals.sequences += rollout.sequences.length;
    for (const name of ["captured", "delivered", "masked", "dropped"] as const) {
      totals[name] += ledger[name];
    }
    const { truncated_by } = rollout;
    if (truncated_by !== null) truncated[truncated_by] = (truncated[truncated_by] ?? 0) + 1;
    addBreaks(breaks, rollout);
    addLosses(losses, rollout);
    const { group_id, reward } = environment;
    if (group_id === null || reward === null) continue;
    sizes.set(group_id, (sizes.get(group_id) ?? 0) + 1);
    rewards.set(group_id, (rewards.get(group_id) ?? new Set()).add(reward));
  }
  const { captured, delivered } = totals;
  return {
    ...totals,
    truncated_by: truncated,
    delivered_fraction: captured === 0 ? 0 : delivered / captured,
    breaks_by_reason: breaks,
    losses_by_reason: losses,
    zero_variance_groups: [...rewards].flatMap(([group_id, values]) =>
      values.size === 1 && (sizes.get(group_id) ?? 0) > 1 ? [group_id] : [],
    ),
    groups: sizes.size,
  };
}

function addBreaks(breaks: Partial<Record<SplitReason, number>>, { ledger }: Rollout): void {
  for (const reason of Object.keys(ledger.breaks_by_reason) as SplitReason[]) {
    breaks[reason] = (breaks[reason] ?? 0) + (ledger.breaks_by_reason[reason] ?? 0);
  }
}

function addLosses(losses: Partial<Record<LossReason, Loss>>, { ledger }: Rollout): void {
  for (const { reason, masked, dropped } of ledger.steps) {
    if (reason === null) continue;
    const { steps = 0, tokens = 0 } = losses[reason] ?? {};
    losses[reason] = { steps: steps + 1, tokens: tokens + masked + dropped };
  }
}
