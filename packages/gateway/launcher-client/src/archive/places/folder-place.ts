import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { ArchivePlace } from "./place.ts";

/** Names of files that are not whole yet. */
const unfinished = ".unfinished-";

/** An archive in a folder, which is created with its first file. */
export function folderPlace(folder: string, signal?: AbortSignal): ArchivePlace {
  const root = resolve(folder);
  const write = async (
    path: string,
    bytes: Uint8Array,
    publish: (from: string, to: string) => Promise<void>,
  ): Promise<void> => {
    signal?.throwIfAborted();
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    const temporary = join(dirname(file), `${unfinished}${randomUUID()}`);
    try {
      await using handle = await open(temporary, "wx");
      await handle.writeFile(bytes);
      await handle.datasync();
      await publish(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    await keepNames(dirname(file), dirname(root));
  };
  return {
    address: folder,
    put: (path, bytes) => write(path, bytes, rename),
    async putNew(path, bytes) {
      try {
        await write(path, bytes, link);
        return true;
      } catch (error) {
        if (hasCode(error, "EEXIST")) return false;
        throw error;
      }
    },
    async get(path) {
      try {
        return await readFile(join(root, path), { signal });
      } catch (error) {
        if (hasCode(error, "ENOENT")) return null;
        throw error;
      }
    },
    async list(below) {
      signal?.throwIfAborted();
      const found = await readdir(join(root, below), {
        recursive: true,
        withFileTypes: true,
      }).catch((error: unknown) => {
        if (hasCode(error, "ENOENT")) return [];
        throw error;
      });
      return found
        .filter((entry) => entry.isFile() && !entry.name.startsWith(unfinished))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
    },
    remove: (path) => rm(join(root, path), { force: true }),
    close() {},
  };
}

/** Makes the names in a folder, and in those above it, survive a loss of power. */
async function keepNames(folder: string, last: string): Promise<void> {
  // Windows does not open folders.
  if (process.platform === "win32") return;
  for (let each = folder; ; each = dirname(each)) {
    await using handle = await open(each);
    await handle.sync();
    if (each === last) return;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
