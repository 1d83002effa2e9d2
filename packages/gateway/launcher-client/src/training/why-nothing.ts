import type { JobStore } from "@proj/session-store";
import { endedEnvironments, isChosen, type RolloutExportOptions } from "./export-rollouts.ts";
import type { ExportFormat } from "./formats/export-format.ts";

const states = ["pending", "running", "finished", "failed", "infrastructure"] as const;

export interface EmptyExport extends Omit<RolloutExportOptions, "format"> {
  /** Undefined: single steps. */
  readonly format: ExportFormat | undefined;
  /** What people type to call the launcher. */
  readonly launcher: string;
}

/**
 * Why an export has no line, as a sentence.
 * @throws StoreUnavailableError
 */
export async function whyNothingIsExported(
  store: Pick<JobStore, "readJobs" | "readJob" | "readEnvironments">,
  { format, launcher, job_id, since, filters, ...included }: EmptyExport,
): Promise<string> {
  let ended = 0;
  let chosen = 0;
  for await (const environment of endedEnvironments(store, job_id, included)) {
    ended += 1;
    if (isChosen(environment, { since, filters })) chosen += 1;
  }
  if (chosen > 0) return `${rollouts(chosen)} ended, but ${lackOf(format, launcher)}`;
  if (ended > 0)
    return `--filter and --since exclude ${ended === 1 ? "the only rollout" : `all ${ended} rollouts`}`;
  const job = job_id === undefined ? null : await store.readJob(job_id);
  const jobs = job === null ? await store.readJobs() : [job];
  const sum = (of: "simulations" | (typeof states)[number]): number =>
    jobs.reduce((total, each) => total + each[of], 0);
  if (sum("simulations") === 0) return "there are no simulations";
  const counts = states.filter((state) => sum(state) > 0).map((state) => `${sum(state)} ${state}`);
  const advice = sum("failed") > 0 ? `; ${launcher} status says why they failed` : "";
  return `no simulation has ended with a reward: ${counts.join(", ")}${advice}`;
}

const rollouts = (number: number): string => (number === 1 ? "1 rollout" : `${number} rollouts`);

/** What no rollout has. */
function lackOf(format: ExportFormat | undefined, launcher: string): string {
  if (format === undefined) return "no step has status 200";
  return format.needsHistory
    ? "no conversation was recorded: see telemetry in the gateway's configuration"
    : `none has tokens to train on: ${launcher} doctor says why`;
}
