import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { StoreInUseError } from "@proj/database";
import { FileOwner } from "@proj/database/sqlite";
import { isJsonObject } from "@proj/model-apis/json";

/** The file cannot be continued; the message says why, and what to do. */
export class FollowedFileError extends Error {
  override readonly name = "FollowedFileError";
}

/** The contents of a file. */
export interface FollowedJob {
  readonly job_id: string;
  readonly format: string;
}

/** How far a file has grown. */
export interface FollowedPlace {
  /** The position of the last group in it. */
  readonly position: number;
  /** How many rollouts are in it. */
  readonly rollouts: number;
}

/**
 * A file that grows by whole groups. A group's lines are on disk before `<file>.cursor` is replaced by one rename;
 * lines that the cursor does not cover were written by a process that died, and are cut off. One process at a time
 * owns the file: its lock, on `<file>-owner`, ends with the process, however that ends.
 */
export class FollowedFile implements AsyncDisposable {
  readonly #path: string;
  readonly #job: FollowedJob;
  readonly #handle: FileHandle;
  readonly #owner: FileOwner;
  #place: FollowedPlace;
  #bytes: number;

  private constructor(
    path: string,
    job: FollowedJob,
    { handle, owner }: OwnedFile,
    cursor: Cursor | null,
  ) {
    this.#path = path;
    this.#job = job;
    this.#handle = handle;
    this.#owner = owner;
    this.#place = cursor ?? { position: 0, rollouts: 0 };
    this.#bytes = cursor?.bytes ?? 0;
  }

  /** @throws FollowedFileError */
  static async open(path: string, job: FollowedJob): Promise<FollowedFile> {
    const owner = ownerOf(path);
    try {
      return await FollowedFile.#open(path, job, owner);
    } catch (error) {
      owner.release();
      throw error;
    }
  }

  static async #open(path: string, job: FollowedJob, owner: FileOwner): Promise<FollowedFile> {
    const cursor = await readCursor(path, job);
    const handle = await open(path, "a+");
    try {
      const { size } = await handle.stat();
      const bytes = cursor?.bytes ?? 0;
      if (cursor === null && size > 0)
        throw new FollowedFileError(
          `${path} already exists, but ${cursorOf(path)} does not: move it away, or name another file`,
        );
      if (size < bytes)
        throw new FollowedFileError(
          `${path} is shorter than ${cursorOf(path)} says: remove both to begin again`,
        );
      await handle.truncate(bytes);
      const followed = new FollowedFile(path, job, { handle, owner }, cursor);
      // Before the first line: this tells a file that our first run left half-written from someone else's.
      if (cursor === null) await followed.keep(followed.#place);
      return followed;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get position(): number {
    return this.#place.position;
  }

  get rollouts(): number {
    return this.#place.rollouts;
  }

  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#handle.appendFile(bytes);
    this.#bytes += bytes.length;
  }

  /** Commits what was appended. */
  async keep({ position, rollouts }: FollowedPlace): Promise<void> {
    await this.#handle.datasync();
    const cursor: Cursor = { ...this.#job, position, rollouts, bytes: this.#bytes };
    const path = cursorOf(this.#path);
    const next = `${path}.next`;
    const handle = await open(next, "w");
    try {
      await handle.writeFile(`${JSON.stringify(cursor)}\n`);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(next, path);
    this.#place = { position, rollouts };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    this.#owner.release();
  }
}

interface OwnedFile {
  readonly handle: FileHandle;
  readonly owner: FileOwner;
}

/** Two processes that append to one file would cut off each other's lines. @throws FollowedFileError */
function ownerOf(path: string): FileOwner {
  const advice = "Name another file, or wait for it to end.";
  const owner = new FileOwner(path, { program: "launcher export --follow", advice });
  try {
    owner.hold();
    return owner;
  } catch (error) {
    if (error instanceof StoreInUseError) throw new FollowedFileError(error.message);
    throw error;
  }
}

interface Cursor extends FollowedJob, FollowedPlace {
  readonly bytes: number;
}

const cursorOf = (path: string): string => `${path}.cursor`;

async function readCursor(path: string, { job_id, format }: FollowedJob): Promise<Cursor | null> {
  let text: string;
  try {
    text = await readFile(cursorOf(path), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  const cursor = parseCursor(text);
  if (cursor === null)
    throw new FollowedFileError(`${cursorOf(path)} is not a cursor: remove it and ${path}`);
  if (cursor.job_id !== job_id || cursor.format !== format)
    throw new FollowedFileError(
      `${path} belongs to job '${cursor.job_id}' in the format ${cursor.format}: name another file`,
    );
  return cursor;
}

function parseCursor(text: string): Cursor | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return null;
    const { job_id, format, position, rollouts, bytes } = value;
    if (typeof job_id !== "string" || typeof format !== "string") return null;
    const isCount = (number: unknown): number is number =>
      typeof number === "number" && Number.isSafeInteger(number) && number >= 0;
    if (!isCount(position) || !isCount(rollouts) || !isCount(bytes)) return null;
    return { job_id, format, position, rollouts, bytes };
  } catch {
    return null;
  }
}
