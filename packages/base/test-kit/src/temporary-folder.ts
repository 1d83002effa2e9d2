import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  /** Removes the folder and everything in it; may be called again. */
  remove(): Promise<void>;
}

/** @param parent an existing folder. @default where this system keeps temporary files */
export async function temporaryFolder(parent: string = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, "proj-test-"));
  // A database's worker may still be closing its files, and Windows does not remove open files.
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 10 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

/** Linux's file system in memory; a container's often has only 64 MiB. */
const memory = "/dev/shm";
const enoughBytes = 4 * 1024 ** 3;

/**
 * The parent of a temporary folder with thousands of files that no test needs on a disk. Where others were just
 * deleted, ext4 searches long for each new one.
 */
export async function parentInMemory(): Promise<string> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free < enoughBytes ? tmpdir() : memory;
}
