import { existsSync, statSync } from "node:fs";
import type { ArchiveSelection } from "@proj/launcher-client";
import { type Context, exitCode, ProgramError, UsageError } from "@proj/program";
import { publicDbUrl } from "@proj/program/configuration/messages";
import {
  type JobReader,
  type JobStore,
  type JobSummary,
  openJobReader,
  openJobStore,
  type StoreOptions,
  storageKinds,
} from "@proj/session-store";

const sqlite = "sqlite://";

/** The storage that a `--db-path` names, by its scheme. @throws UsageError */
export function storageOf(db_path: string): StoreOptions {
  // The gateway has created it: a wrong path must not create a new database.
  const storage_config = { db_url: db_path, create: false };
  if (db_path.startsWith(sqlite)) return { storage_type: "sqlite", storage_config };
  if (/^postgres(ql)?:\/\//.test(db_path)) return { storage_type: "cloud", storage_config };
  if (isArchive(db_path))
    throw new UsageError("an archive is only read: give the gateway's database with --db-path");
  throw new UsageError(
    `--db-path must be sqlite://<file> or postgres://…, like the gateway's storage_config.db_url, not '${publicDbUrl(db_path)}'`,
  );
}

/** Whether it names an archive: a bucket, or a folder that exists. */
export const isArchive = (db_path: string): boolean =>
  db_path.startsWith("s3://") ||
  (!db_path.includes("://") &&
    statSync(db_path, { throwIfNoEntry: false })?.isDirectory() === true);

/**
 * Opens a storage or an archive to read it, and closes it after the work. Nothing in it is changed.
 * @param selection what is read of an archive
 */
export async function reading<T>(
  db_path: string,
  work: (store: JobReader) => Promise<T>,
  selection: ArchiveSelection = {},
): Promise<T> {
  if (!isArchive(db_path)) return withStore(db_path, openJobReader, work);
  const { openArchive } = await import("@proj/launcher-client");
  return closingAfter(await openArchive(db_path, selection), work);
}

/** Opens an existing storage, and closes it after the work. */
export const writing = <T>(db_path: string, work: (store: JobStore) => Promise<T>): Promise<T> =>
  withStore(db_path, openJobStore, work);

async function withStore<S extends Pick<JobReader, "close">, T>(
  db_path: string,
  open: (options: StoreOptions) => Promise<S>,
  work: (store: S) => Promise<T>,
): Promise<T> {
  const options = storageOf(db_path);
  if (storageKinds[options.storage_type].isFile && !existsSync(db_path.slice(sqlite.length))) {
    throw new Error(
      `there is no database ${db_path}: give the gateway's storage_config.db_url with --db-path, and if it is relative, start in the folder in which the gateway was started`,
    );
  }
  return closingAfter(await open(options), work);
}

async function closingAfter<S extends Pick<JobReader, "close">, T>(
  store: S,
  work: (store: S) => Promise<T>,
): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** What is read of an archive for one job, or for all. */
export const ofJob = (job_id: string | null, { signal }: Context): ArchiveSelection =>
  job_id === null ? { signal } : { job_ids: [job_id], signal };

/** @throws ProgramError the requested job does not exist */
export async function requireJob(
  store: Pick<JobReader, "readJob">,
  job_id: string,
  { calledAs }: Context,
): Promise<JobSummary> {
  const job = await store.readJob(job_id);
  if (job !== null) return job;
  throw new ProgramError(`there is no job '${job_id}'; ${calledAs} status lists them`, exitCode.no);
}

/** A storage that is opened when it is first needed. */
export class LaterStorage {
  readonly #db_path: string;
  #opening: Promise<JobStore> | null = null;

  constructor(db_path: string) {
    this.#db_path = db_path;
  }

  /** @throws UsageError, and the errors of openJobStore */
  open(): Promise<JobStore> {
    this.#opening ??= openJobStore(storageOf(this.#db_path));
    return this.#opening;
  }

  async close(): Promise<void> {
    const store = await this.#opening?.catch(() => null);
    await store?.close();
  }
}
