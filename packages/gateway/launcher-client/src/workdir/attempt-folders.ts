import { chmod, lstat, mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AttemptFolder, foldersOf } from "./attempt-folder.ts";

/** Where a launcher's attempts have their folders. */
export interface AttemptFolders {
  /** The folder of an attempt, identified by its session. */
  of(session_id: string): AttemptFolder;
  /** The working directory that an attempt had, if it was kept; null: there is none. */
  find(session_id: string): Promise<string | null>;
  /** Called when an attempt is over and was scored. */
  leave(folder: AttemptFolder): Promise<void>;
  /** Removes everything that is not to be kept. */
  close(): Promise<void>;
}

/** Folders in the system's temporary folder, each removed when its attempt is over. */
export function temporaryFolders(): AttemptFolders {
  let making: Promise<string> | null = null;
  return {
    of: (session_id) =>
      new AttemptFolder(async () => {
        making ??= mkdtemp(join(tmpdir(), "launcher-"));
        return makeRoot(await making, session_id);
      }),
    find: async () => null,
    leave: (folder) => folder.remove(),
    close: async () => {
      const root = await making?.catch(() => null);
      // What could not be removed from it was reported, and is not walked by its path.
      if (root) await rmdir(root).catch(() => {});
    },
  };
}

/** Folders that are kept: `<parent>/<session_id>`. */
export function keptFolders(parent: string): AttemptFolders {
  const path = resolve(parent);
  return {
    of: (session_id) =>
      new AttemptFolder(async () => {
        await mkdir(path, { recursive: true });
        return makeRoot(path, session_id);
      }),
    find: async (session_id) => {
      const { work } = foldersOf(join(path, session_id));
      const found = await lstat(work).catch(() => null);
      return found?.isDirectory() ? work : null;
    },
    leave: async () => {},
    close: async () => {},
  };
}

async function makeRoot(parent: string, session_id: string): Promise<string> {
  // An agent that runs as another user must be able to pass through, but sees no names.
  await chmod(parent, 0o711);
  const root = join(parent, session_id);
  // New: nobody else has prepared it, and no other attempt has used it.
  await mkdir(root, { mode: 0o700 });
  return root;
}
