import type { JsonObject } from "@proj/model-apis/json";
import { type EnvironmentRow, type JobStore, jobEnvironments } from "@proj/session-store";
import type { ExportFormat } from "./formats/export-format.ts";
import { lineText } from "./formats/line-text.ts";
import { type LeftOut, leftOut } from "./left-out.ts";
import { writeParquet } from "./parquet/write-parquet.ts";
import { type RolloutOptions, readRollout } from "./rollout.ts";
import type { RolloutFilter } from "./rollout-filter.ts";

export interface RolloutExportOptions extends RolloutOptions {
  readonly format: ExportFormat;
  /** @default all jobs, newest first */
  readonly job_id?: string | undefined;
  /** Include attempts that failed. @default false */
  readonly include_failed?: boolean | undefined;
  /** Include attempts that the infrastructure failed. @default false */
  readonly include_infrastructure?: boolean | undefined;
  /** Only attempts that ended at this time or later. */
  readonly since?: Date | undefined;
  /** Only attempts that pass every filter. */
  readonly filters?: readonly RolloutFilter[] | undefined;
  /** Called for each rollout that the format cannot write. */
  readonly onLeftOut?: ((left: LeftOut) => void) | undefined;
}

/**
 * Writes rollouts as JSON Lines, in the order of (job, simulation_id, attempt), with one rollout in memory at a time.
 * @throws StoreUnavailableError; the signal's reason
 */
export async function* exportRollouts(
  store: Pick<JobStore, "readJobs" | "readEnvironments" | "readSteps">,
  options: RolloutExportOptions,
): AsyncGenerator<string, void, undefined> {
  for await (const line of rolloutLines(store, options)) yield `${lineText(line)}\n`;
}

/**
 * Writes rollouts as a Parquet file, in the order of `exportRollouts`: each member of a line is a column, lists of
 * tokens are lists, and other nested values are JSON text.
 * @returns the number of lines
 * @throws StoreUnavailableError; the signal's reason; the errors of the file system
 */
export function exportParquet(
  store: Pick<JobStore, "readJobs" | "readEnvironments" | "readSteps">,
  file: string,
  options: RolloutExportOptions,
): Promise<number> {
  return writeParquet(file, options.format.columns, rolloutLines(store, options));
}

async function* rolloutLines(
  store: Pick<JobStore, "readJobs" | "readEnvironments" | "readSteps">,
  { format, job_id, since, filters, onLeftOut, ...options }: RolloutExportOptions,
): AsyncGenerator<JsonObject, void, undefined> {
  // The newest weights may be those of the last rollout.
  if (options.weights !== undefined)
    for await (const environment of endedEnvironments(store, job_id, options))
      if (isChosen(environment, { since, filters }))
        options.weights.learn((await readRollout(store, environment, unmasked(options))).sequences);
  const places = new Map<string, { readonly group: number; repetition: number }>();
  let rollouts = 0;
  for await (const environment of endedEnvironments(store, job_id, options)) {
    if (!isChosen(environment, { since, filters })) continue;
    const rollout = await readRollout(store, environment, options);
    const left = leftOut(format, rollout);
    if (left !== null) {
      onLeftOut?.(left);
      continue;
    }
    const { group_id, simulation_id } = environment;
    const members = group_id === null ? { simulation_id } : { group_id };
    // A group belongs to a job: another job's rollouts may be of another policy, whatever their group is called.
    const name = JSON.stringify({ job_id: environment.job_id, ...members });
    const place = places.get(name) ?? { group: places.size, repetition: 0 };
    places.set(name, place);
    yield* format.lines(rollout, { rollout: rollouts, ...place });
    place.repetition += 1;
    rollouts += 1;
  }
}

export const unmasked = (options: RolloutOptions): RolloutOptions => ({
  ...options,
  weights: undefined,
});

/** The attempts of a job, or of all jobs, that ended with a reward; on request also others. */
export async function* endedEnvironments(
  store: Pick<JobStore, "readJobs" | "readEnvironments">,
  job_id: string | undefined,
  included: Pick<RolloutExportOptions, "include_failed" | "include_infrastructure">,
): AsyncGenerator<EnvironmentRow, void, undefined> {
  const jobs = job_id === undefined ? await store.readJobs() : [{ job_id }];
  for (const job of jobs) {
    for await (const environment of jobEnvironments(store, job.job_id, "finished")) {
      if (environment.reward !== null) yield environment;
    }
    if (included.include_failed) yield* jobEnvironments(store, job.job_id, "failed");
    if (included.include_infrastructure)
      yield* jobEnvironments(store, job.job_id, "infrastructure");
  }
}

/** Whether an attempt that has ended matches the options. */
export const isChosen = (
  environment: EnvironmentRow,
  { since, filters = [] }: Pick<RolloutExportOptions, "since" | "filters">,
): boolean =>
  (since === undefined || isSince(environment, since)) &&
  filters.every((passes) => passes(environment));

const isSince = ({ finished_at }: EnvironmentRow, since: Date): boolean =>
  finished_at !== null && Date.parse(finished_at) >= since.getTime();
