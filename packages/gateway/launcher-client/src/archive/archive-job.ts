import { manifestPath, tableFolder, tableNames } from "./layout.ts";
import { type PartManifest, readManifests } from "./manifest.ts";
import { PartWriter } from "./part-writer.ts";
import { openPlace } from "./places/open-place.ts";
import type { ArchivePlace } from "./places/place.ts";
import { type ArchivedStore, endedAttempts, readRolloutRows } from "./rollout-rows.ts";

export interface ArchiveOptions {
  readonly job_id: string;
  /** The archive: `s3://BUCKET/PREFIX`, or a folder. */
  readonly address: string;
  readonly signal?: AbortSignal | undefined;
}

/** What a run has done. */
export interface ArchivedJob {
  /** Rollouts that this run has written, with their steps. */
  readonly archived: number;
  readonly steps: number;
  /** Rollouts that earlier runs had written and that have not changed. */
  readonly already_archived: number;
}

/**
 * Writes the attempts of a job that have ended to an archive, each once. A run that was killed is continued by the
 * next one. Rollouts that have changed since they were archived are written again, with their part.
 * @throws ArchiveError; StoreUnavailableError; the errors of S3 and of the file system; the signal's reason
 */
export async function archiveJob(
  store: ArchivedStore,
  { job_id, address, signal }: ArchiveOptions,
): Promise<ArchivedJob> {
  const place = await openPlace(address, signal);
  try {
    const found = await readManifests(place, job_id);
    const stale = await changedParts(store, job_id, found, signal);
    for (const { part } of stale) await place.remove(manifestPath(job_id, part));
    const parts = found.filter((part) => !stale.has(part));
    await removeUnfinished(place, job_id, parts);
    return await writeParts(store, { place, job_id, parts, signal });
  } finally {
    place.close();
  }
}

interface Writing {
  readonly place: ArchivePlace;
  readonly job_id: string;
  readonly parts: readonly PartManifest[];
  readonly signal: AbortSignal | undefined;
}

async function writeParts(
  store: ArchivedStore,
  { place, job_id, parts, signal }: Writing,
): Promise<ArchivedJob> {
  const known = new Set(parts.flatMap(({ rollouts }) => rollouts.map((one) => one.session_id)));
  const values = new Set(parts.flatMap((part) => part.values));
  let next = 1 + Math.max(0, ...parts.map(({ part }) => part));
  let writer: PartWriter | null = null;
  const counts = { archived: 0, steps: 0, already_archived: known.size };
  const finish = async (): Promise<void> => {
    if (writer === null) return;
    const { rollouts } = await writer.finish();
    counts.archived += rollouts.length;
    for (const { steps } of rollouts) counts.steps += steps;
    writer = null;
    next += 1;
  };
  for await (const environment of endedAttempts(store, job_id, signal)) {
    if (known.has(environment.session_id)) continue;
    writer ??= new PartWriter(place, job_id, next, values);
    await writer.add(store, environment);
    if (writer.isFull) await finish();
  }
  await finish();
  return counts;
}

/** The parts with a rollout that has changed, if the database has all of the part's rollouts. */
async function changedParts(
  store: ArchivedStore,
  job_id: string,
  parts: readonly PartManifest[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<PartManifest>> {
  const changed = new Set<PartManifest>();
  if (parts.length === 0) return changed;
  const places = new Map(
    parts.flatMap((part) =>
      part.rollouts.map((rollout) => [rollout.session_id, { part, rollout }] as const),
    ),
  );
  const stored = new Map<PartManifest, number>();
  for await (const environment of endedAttempts(store, job_id, signal)) {
    const archived = places.get(environment.session_id);
    if (archived === undefined) continue;
    const { part, rollout } = archived;
    const now = await readRolloutRows(store, environment);
    // The archive alone has what was pruned.
    if (now.steps < rollout.steps || now.payload < rollout.payload) continue;
    stored.set(part, 1 + (stored.get(part) ?? 0));
    if (now.sha256 !== rollout.sha256) changed.add(part);
  }
  for (const part of changed) if (stored.get(part) !== part.rollouts.length) changed.delete(part);
  return changed;
}

/** Files of rows that no manifest names: a run was killed, or has withdrawn their part. */
async function removeUnfinished(
  place: ArchivePlace,
  job_id: string,
  parts: readonly PartManifest[],
): Promise<void> {
  const named = new Set(parts.flatMap(({ files }) => files.map(({ path }) => path)));
  for (const table of tableNames)
    for (const path of await place.list(tableFolder(table, job_id)))
      if (!named.has(path)) await place.remove(path);
}
