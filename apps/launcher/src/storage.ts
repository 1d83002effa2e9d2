import { existsSync } from "node:fs";
import { type Context, exitCode, ProgramError, UsageError } from "@proj/program";
import { publicDbUrl } from "@proj/program/configuration/messages";
import {
  type JobReader,
  type JobStore,
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
  throw new UsageError(
    `--db-path must be sqlite://<file> or postgres://…, like the gateway's storage_config.db_url, not '${publicDbUrl(db_path)}'`,
  );
}

/** Opens a storage to read it, and closes it after the work. Nothing in it is changed. */
export const reading = <T>(db_path: string, work: (store: JobReader) => Promise<T>): Promise<T> =>
  withStore(db_path, openJobReader, work);

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
  const store = await open(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Ends the program because the requested job does not exist. */
export const noSuchJob = (job_id: string, { calledAs }: Context): ProgramError =>
  new ProgramError(`there is no job '${job_id}'; ${calledAs} status lists them`, exitCode.no);

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
