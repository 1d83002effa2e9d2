import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type JobReader, openCopy, type SqliteCopy } from "@proj/session-store";
import { ArchiveError } from "./archive-error.ts";
import { addArchivedRow } from "./archived-rows.ts";
import { restoreLargeValues } from "./large-values.ts";
import { tables, valuePath } from "./layout.ts";
import { getVerified, type PartManifest, type PartRollout, readManifests } from "./manifest.ts";
import { openPlace } from "./places/open-place.ts";
import type { ArchivePlace } from "./places/place.ts";

/** What is read of an archive; all of it by default. */
export interface ArchiveSelection {
  readonly job_ids?: readonly string[] | undefined;
  /** A session's id, or a simulation's. */
  readonly session?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads rollouts of an archive into a temporary database, byte for byte as they were, with DuckDB. Closing it removes
 * it. Every file's checksum is compared.
 * @param address `s3://BUCKET/PREFIX`, or a folder
 * @throws ArchiveError also if DuckDB is not installed; the errors of S3 and of the file system; the signal's reason
 */
export async function openArchive(
  address: string,
  { job_ids, session, signal }: ArchiveSelection = {},
): Promise<JobReader> {
  const place = await openPlace(address, signal);
  try {
    const parts = await readParts(place, job_ids);
    return await openCopy(async (copy, folder) => {
      for (const part of parts) {
        signal?.throwIfAborted();
        await copyPart(place, part, { folder, copy, session });
      }
    });
  } finally {
    place.close();
  }
}

async function readParts(
  place: ArchivePlace,
  job_ids: readonly string[] | undefined,
): Promise<PartManifest[]> {
  const chosen = job_ids === undefined ? [undefined] : [...new Set(job_ids)];
  const read = chosen.map((job_id) => readManifests(place, job_id));
  const parts = (await Promise.all(read)).flat();
  // The caller reports a missing job, we a place without an archive.
  if (parts.length === 0 && (await readManifests(place)).length === 0)
    throw new ArchiveError(`no archive found in ${place.address}`);
  return parts;
}

/** Values of a part that stay in memory. */
const maxValues = 32;

interface Target {
  readonly folder: string;
  readonly copy: SqliteCopy;
  readonly session: string | undefined;
}

async function copyPart(
  place: ArchivePlace,
  { job_id, files, rollouts }: PartManifest,
  { folder, copy, session }: Target,
): Promise<void> {
  const isChosen = (one: PartRollout): boolean =>
    session === undefined || session === one.session_id || session === one.simulation_id;
  const chosen = rollouts.filter(isChosen).map(({ session_id }) => session_id);
  if (chosen.length === 0) return;
  const only = chosen.length === rollouts.length ? null : chosen;
  const read = new Map<string, Promise<Buffer>>();
  const readValue = async (sha256: string): Promise<string> => {
    const known = read.get(sha256) ?? getVerified(place, valuePath(job_id, sha256), sha256);
    // Steps repeat the values of those before them.
    read.delete(sha256);
    read.set(sha256, known);
    for (const oldest of read.keys()) if (read.size > maxValues) read.delete(oldest);
    return (await known).toString();
  };
  for (const { table, path, sha256 } of files) {
    const file = join(folder, "part.parquet");
    await writeFile(file, await getVerified(place, path, sha256));
    for await (const cells of parquetRows(file, Object.keys(tables[table]), only)) {
      const row = await restoreLargeValues(cells, readValue);
      addArchivedRow(copy, table, row);
    }
    await rm(file);
  }
}

/** The rows of a file in their order, or of some sessions. */
async function* parquetRows(
  file: string,
  columns: readonly string[],
  session_ids: readonly string[] | null,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { DuckDBInstance, VARCHAR } = await import("@duckdb/node-api").catch((error: unknown) => {
    throw new ArchiveError("archives are read with DuckDB: npm install @duckdb/node-api", {
      cause: error,
    });
  });
  // One thread: rows come in the order of the file.
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  try {
    const connection = await instance.connect();
    const chosen =
      session_ids === null ? "" : "where session_id in (select unnest($sessions::json::varchar[]))";
    const sessions = session_ids === null ? {} : { sessions: JSON.stringify(session_ids) };
    const result = await connection.stream(
      `select ${columns.map((name) => `"${name}"`).join(", ")} from read_parquet($file) ${chosen}`,
      { file, ...sessions },
      { file: VARCHAR },
    );
    for await (const rows of result.yieldRowObjectJs())
      for (const row of rows) yield withNumbers(row);
  } finally {
    instance.closeSync();
  }
}

/** DuckDB has integers of 64 bits. */
const withNumbers = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === "bigint" ? Number(cell) : cell,
    ]),
  );
