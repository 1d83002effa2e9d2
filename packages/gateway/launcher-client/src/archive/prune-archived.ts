import type { EnvironmentRow, JobReader, JobStore, StoredStep } from "@proj/session-store";
import { ArchiveError } from "./archive-error.ts";
import type { ArchiveOptions } from "./archive-job.ts";
import { tables, valuePath } from "./layout.ts";
import { getVerified, type PartManifest, type PartRollout, readManifests } from "./manifest.ts";
import { openArchive } from "./open-archive.ts";
import { openPlace } from "./places/open-place.ts";
import type { ArchivePlace } from "./places/place.ts";
import { type ArchivedStore, endedAttempts, noSink, readRolloutRows } from "./rollout-rows.ts";

export interface PrunedArchived {
  /** Rollouts whose steps this run has deleted. Their attempts, rewards and scores stay. */
  readonly pruned: number;
  /** Archived rollouts whose steps stay: they differ from the archive, or another session begins from them. */
  readonly kept: number;
}

/**
 * Deletes the steps of rollouts that an archive has. Before that, all files and values of their parts are read and
 * compared with their checksums, and the rows in the database with those that were archived. A run that was killed is
 * continued by the next one.
 * @throws ArchiveError a file is missing or damaged: nothing was deleted; StoreUnavailableError; the errors of S3 and of
 * the file system; the signal's reason
 */
export async function pruneArchived(
  store: ArchivedStore & Pick<JobStore, "pruneSessions">,
  options: ArchiveOptions,
): Promise<PrunedArchived> {
  const place = await openPlace(options.address, options.signal);
  try {
    const { verified, different } = await verifyRollouts(store, place, options);
    let waiting = verified;
    // A rollout from which others begin can go once they have gone.
    for (let before = -1; before !== waiting.length; ) {
      before = waiting.length;
      const left: VerifiedRollout[] = [];
      for (const rollout of waiting) {
        options.signal?.throwIfAborted();
        const { session_id, newest } = rollout;
        // A step that came since then is not in the archive.
        const pruning = {
          session_ids: [session_id],
          keep: "rewards",
          before: after(newest),
        } as const;
        if ((await store.pruneSessions(pruning)) === 0) left.push(rollout);
      }
      waiting = left;
    }
    return { pruned: verified.length - waiting.length, kept: different + waiting.length };
  } finally {
    place.close();
  }
}

interface VerifiedRollout {
  readonly session_id: string;
  /** When the newest of its steps was written. */
  readonly newest: string;
}

async function verifyRollouts(
  store: ArchivedStore,
  place: ArchivePlace,
  { job_id, address, signal }: ArchiveOptions,
): Promise<{ verified: readonly VerifiedRollout[]; different: number }> {
  const parts = await readManifests(place, job_id);
  const archived = new Map(
    parts.flatMap((part) =>
      part.rollouts.map((rollout) => [rollout.session_id, { part, rollout }] as const),
    ),
  );
  const verify = partVerifier(place);
  const verified: VerifiedRollout[] = [];
  let different = 0;
  let archive: JobReader | undefined;
  try {
    for await (const environment of endedAttempts(store, job_id, signal)) {
      const { session_id } = environment;
      const found = archived.get(session_id);
      if (found === undefined) continue;
      let newest = "";
      const now = await readStepsOf(store, environment, async ({ created_at }) => {
        if (created_at > newest) newest = created_at;
      });
      if (now.steps === 0) continue;
      await verify(found.part);
      let isArchived = now.sha256 === found.rollout.sha256;
      if (!isArchived && isFewer(now, found.rollout)) {
        // An earlier pruning was cut short, or left rows without their payloads.
        archive ??= await openArchive(address, { job_ids: [job_id], signal });
        isArchived = await isPartOf(archive, store, environment);
      }
      if (isArchived) verified.push({ session_id, newest });
      else different += 1;
    }
  } finally {
    await archive?.close();
  }
  return { verified, different };
}

type Size = Pick<PartRollout, "steps" | "payload">;

const isFewer = (now: Size, archived: Size): boolean =>
  now.steps < archived.steps || now.payload < archived.payload;

/** Compares the files and values of parts with their checksums, each once. */
function partVerifier(place: ArchivePlace): (part: PartManifest) => Promise<void> {
  const done = new Set<string>();
  const verify = async (path: string, sha256: string): Promise<void> => {
    if (done.has(path)) return;
    await getVerified(place, path, sha256);
    done.add(path);
  };
  return async ({ job_id, files, values }) => {
    try {
      for (const { path, sha256 } of files) await verify(path, sha256);
      for (const sha256 of values) await verify(valuePath(job_id, sha256), sha256);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      throw new ArchiveError(`nothing was pruned: ${error.message}`, { cause: error });
    }
  };
}

/** Whether all steps that are left of an attempt are in the archive, apart from payloads that are gone. */
async function isPartOf(
  archive: ArchivedStore,
  store: ArchivedStore,
  environment: EnvironmentRow,
): Promise<boolean> {
  const known = new Set<string>();
  let isKnown = true;
  await readStepsOf(archive, environment, async (row) => {
    known.add(textOf(row));
    known.add(textOf({ ...row, request: null, response: null, messages: null }));
  });
  await readStepsOf(store, environment, async (row) => {
    isKnown &&= known.has(textOf(row));
  });
  return isKnown;
}

const readStepsOf = (
  store: ArchivedStore,
  environment: EnvironmentRow,
  step: (row: StoredStep) => Promise<void>,
): ReturnType<typeof readRolloutRows> => readRolloutRows(store, environment, { ...noSink, step });

const textOf = (row: StoredStep): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name]) => name in tables.steps)
      .toSorted(),
  );

/** The millisecond after a stored time, in the same form. */
const after = (time: string): string => new Date(Date.parse(time) + 1).toISOString();
