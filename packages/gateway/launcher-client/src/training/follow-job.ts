import { sleep } from "@proj/http-client";
import type { FinishedGroup, JobReader } from "@proj/session-store";
import { isChosen, type RolloutExportOptions, unmasked } from "./export-rollouts.ts";
import { FollowedFile } from "./followed-file.ts";
import { lineText } from "./formats/line-text.ts";
import { leftOut } from "./left-out.ts";
import { readRollout } from "./rollout.ts";

export interface FollowOptions extends RolloutExportOptions {
  readonly job_id: string;
  /** The file that grows; `<file>.cursor` beside it records how much of it is complete. */
  readonly file: string;
  /** Between two looks for groups, in milliseconds. @default 500 */
  readonly pauseMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** How many groups are read at once; all are written before the next read. */
const groupsPerPage = 20;

/**
 * Appends the rollouts of a job as JSON Lines, group by group as they end, until the job is over. If it is ended at
 * any moment and called again, it continues where the file was complete: it loses and repeats nothing.
 * @throws FollowedFileError the file belongs to another job or format
 * @throws StoreUnavailableError; the signal's reason
 */
export async function followJob(
  store: Pick<JobReader, "readFeed" | "readSteps">,
  { file, pauseMs = 500, ...options }: FollowOptions,
): Promise<void> {
  const { job_id, format, signal } = options;
  await using followed = await FollowedFile.open(file, { job_id, format: format.name });
  for (;;) {
    signal.throwIfAborted();
    const after = followed.position;
    const { include_infrastructure } = options;
    const query = { job_id, after, limit: groupsPerPage, include_infrastructure };
    const page = await store.readFeed(query);
    for (const group of page?.groups ?? []) await appendGroup(store, group, followed, options);
    if (page === null || page.is_finished) return;
    if (page.groups.length === 0) await sleep(pauseMs, signal);
  }
}

async function appendGroup(
  store: Pick<JobReader, "readSteps">,
  { position, environments }: FinishedGroup,
  followed: FollowedFile,
  {
    format,
    include_failed = false,
    since,
    filters,
    onLeftOut,
    ...options
  }: Omit<FollowOptions, "file">,
): Promise<void> {
  let { rollouts } = followed;
  const before = rollouts;
  for (const environment of environments) {
    const { status, reward } = environment;
    const isLeftOut = reward === null && !include_failed && status !== "infrastructure";
    if (isLeftOut || !isChosen(environment, { since, filters })) continue;
    // What is in the file stays there: the newest weights are those that are known by now.
    const { weights } = options;
    if (weights !== undefined)
      weights.learn((await readRollout(store, environment, unmasked(options))).sequences);
    const rollout = await readRollout(store, environment, options);
    const left = leftOut(format, rollout);
    if (left !== null) {
      onLeftOut?.(left);
      continue;
    }
    const place = { rollout: rollouts, group: position - 1, repetition: rollouts - before };
    for (const line of format.lines(rollout, place)) {
      await followed.append(`${lineText(line)}\n`);
    }
    rollouts += 1;
  }
  await followed.keep({ position, rollouts });
}
