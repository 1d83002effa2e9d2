import type { LedgerEntry, LossReason, Split, SplitReason } from "@proj/sequences";
import type { MissingIds } from "@proj/sequences/recorded";
import type { EnvironmentRow, JobStore } from "@proj/session-store";
import { areEqual } from "../statistics/means.ts";
import { endedEnvironments } from "./export-rollouts.ts";
import { type Rollout, type RolloutOptions, readRollout } from "./rollout.ts";

/** How many of a job's sampled tokens can be trained on, and what became of the rest. Counts are tokens. */
export interface JobExamination {
  readonly rollouts: number;
  /** Rollouts that were cut off before their end, by what did it; `length`: the last answer was. */
  readonly truncated_by: Readonly<Record<string, number>>;
  /** Each choice of an answer counts. */
  readonly steps: number;
  readonly sequences: number;
  /** All that was sampled, with token ids or without. */
  readonly captured: number;
  /** Steps that sampled an unknown number of tokens; they are in no count. */
  readonly unknown_steps: number;
  readonly delivered: number;
  readonly masked: number;
  readonly dropped: number;
  /** Delivered divided by captured tokens; 0 if none was captured. */
  readonly delivered_fraction: number;
  /** The number of sequences by the reason that they begin. */
  readonly breaks_by_reason: Readonly<Partial<Record<SplitReason, number>>>;
  /** Of the steps that had something to continue, the fraction that did; 1 if there were none. */
  readonly prefix_extension_rate: number;
  /** The length of all sequences, prompts included. */
  readonly sequence_tokens: number;
  /** The length of the longest sequence of each agent of each rollout: what a trainer reads if nothing breaks. */
  readonly longest_tokens: number;
  /** Steps that are not trained on in full, with the lost tokens. */
  readonly losses_by_reason: Readonly<Partial<Record<LossReason, Loss>>>;
  /** Steps whose token ids are missing, by why they are. */
  readonly missing_ids: Readonly<Partial<Record<MissingIds, Loss>>>;
  /** Groups of several rollouts with equal rewards: training learns nothing from them. `JOB/GROUP` of all jobs. */
  readonly zero_variance_groups: readonly string[];
  readonly groups: number;
}

export interface Loss {
  readonly steps: number;
  readonly tokens: number;
}

/** A step where something is lost or broken. */
export type ExaminedStep = Pick<EnvironmentRow, "session_id" | "simulation_id" | "attempt"> &
  (
    | (Pick<LedgerEntry, "step" | "reason" | "by" | "is_count_known"> & {
        readonly finding: "loss";
        readonly tokens: number;
      })
    | (Pick<Split, "step" | "reason" | "detail" | "compared_with"> & {
        readonly finding: "break";
      })
  );

export interface ExaminationOptions extends RolloutOptions {
  /** Called for each step where something is lost or broken, rollout by rollout. */
  readonly onStep?: ((step: ExaminedStep) => void) | undefined;
}

/** @throws StoreUnavailableError; the signal's reason */
export async function examineJob(
  store: Pick<JobStore, "readJobs" | "readEnvironments" | "readSteps">,
  job_id: string | undefined,
  { onStep, ...options }: ExaminationOptions = {},
): Promise<JobExamination> {
  const groups = new Map<string, number[]>();
  const breaks: Partial<Record<SplitReason, number>> = {};
  const losses: Partial<Record<LossReason, Loss>> = {};
  const truncated: Record<string, number> = {};
  const missing_ids: Partial<Record<MissingIds, Loss>> = {};
  const totals = {
    ...{ rollouts: 0, steps: 0, sequences: 0, sequence_tokens: 0, longest_tokens: 0 },
    ...{ captured: 0, unknown_steps: 0, delivered: 0, masked: 0, dropped: 0 },
  };
  const extensions = { extended: 0, extendable: 0 };
  for await (const environment of endedEnvironments(store, job_id, {})) {
    const rollout = await readRollout(store, environment, options);
    const { ledger } = rollout;
    totals.rollouts += 1;
    totals.steps += rollout.steps.size;
    totals.sequences += rollout.sequences.length;
    for (const name of ["captured", "unknown_steps", "delivered", "masked", "dropped"] as const) {
      totals[name] += ledger[name];
    }
    const { truncated_by } = rollout;
    if (truncated_by !== null) truncated[truncated_by] = (truncated[truncated_by] ?? 0) + 1;
    extensions.extended += ledger.extended;
    extensions.extendable += ledger.extendable;
    addLengths(totals, rollout);
    for (const { split } of rollout.sequences) {
      breaks[split.reason] = (breaks[split.reason] ?? 0) + 1;
    }
    for (const entry of ledger.steps) {
      if (entry.reason !== null) losses[entry.reason] = added(losses[entry.reason], entry);
      const cause = rollout.steps.get(entry.step)?.ids_missing ?? null;
      if (entry.reason !== "no_token_ids" || cause === null) continue;
      missing_ids[cause] = added(missing_ids[cause], entry);
    }
    if (onStep !== undefined) for (const step of stepsOf(rollout)) onStep(step);
    const { group_id, reward } = environment;
    if (group_id === null || reward === null) continue;
    // Other jobs may have a group of this name.
    const name = job_id === undefined ? `${environment.job_id}/${group_id}` : group_id;
    const rewards = groups.get(name) ?? [];
    groups.set(name, rewards);
    rewards.push(reward);
  }
  const { captured, delivered } = totals;
  const { extended, extendable } = extensions;
  return {
    ...totals,
    truncated_by: truncated,
    delivered_fraction: captured === 0 ? 0 : delivered / captured,
    breaks_by_reason: breaks,
    prefix_extension_rate: extendable === 0 ? 1 : extended / extendable,
    losses_by_reason: losses,
    missing_ids,
    zero_variance_groups: [...groups].flatMap(([name, rewards]) =>
      areEqual(rewards) ? [name] : [],
    ),
    groups: groups.size,
  };
}

function addLengths(
  totals: { sequence_tokens: number; longest_tokens: number },
  { sequences }: Rollout,
): void {
  const longest = new Map<string | null, number>();
  for (const { input_ids, agent } of sequences) {
    totals.sequence_tokens += input_ids.length;
    const id = agent?.id ?? null;
    longest.set(id, Math.max(longest.get(id) ?? 0, input_ids.length));
  }
  for (const length of longest.values()) totals.longest_tokens += length;
}

const lostIn = ({ masked, dropped }: LedgerEntry): number => masked + dropped;

const added = (before: Loss | undefined, entry: LedgerEntry): Loss => ({
  steps: (before?.steps ?? 0) + 1,
  tokens: (before?.tokens ?? 0) + lostIn(entry),
});

function* stepsOf({ environment, sequences, ledger }: Rollout): Generator<ExaminedStep> {
  const { session_id, simulation_id, attempt } = environment;
  const rollout = { session_id, simulation_id, attempt };
  for (const { split } of sequences) {
    const { step, reason, detail, compared_with } = split;
    if (reason === "first") continue;
    yield { ...rollout, step, finding: "break", reason, detail, compared_with };
  }
  for (const entry of ledger.steps) {
    const { step, reason, by, is_count_known } = entry;
    if (reason === null) continue;
    yield { ...rollout, step, finding: "loss", reason, by, is_count_known, tokens: lostIn(entry) };
  }
}
