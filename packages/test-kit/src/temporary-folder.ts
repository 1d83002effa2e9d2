import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  /** Removes the folder and everything in it; may be called again. */
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "proj-test-"));
  // A database's worker may still be closing its files, and Windows does not remove open files.
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 10 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
