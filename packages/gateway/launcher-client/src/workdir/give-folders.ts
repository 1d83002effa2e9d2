import { chmod, lchown, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommandUser } from "../child-process/command-user.ts";
import type { AttemptPaths } from "./attempt-folder.ts";

export async function giveFolders(
  { root, work, home, tmp }: AttemptPaths,
  user: CommandUser,
): Promise<void> {
  for (const path of [work, home, tmp]) await giveTree(path, user);
  // The user passes through the root, but sees no names in it and changes none.
  await chmod(root, 0o711);
}

/**
 * A folder comes after its contents: until then nobody but the launcher can change what is in it, so no path that is
 * walked here leads anywhere else.
 */
async function giveTree(folder: string, user: CommandUser): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveTree(path, user);
    else await lchown(path, user.uid, user.gid);
  }
  await lchown(folder, user.uid, user.gid);
}

const writableByOthers = 0o022;
const sticky = 0o1000;

/** @throws Error another user could put something else in the root's place */
export async function checkParents(root: string): Promise<void> {
  const trusted = [0, process.getuid?.()];
  for (let path = dirname(await realpath(root)); ; path = dirname(path)) {
    const { uid, mode } = await stat(path);
    const mayRename = (mode & writableByOthers) !== 0 && (mode & sticky) === 0;
    if (mayRename || !trusted.includes(uid)) {
      const why = "folders of agents that run as another user must not be in a folder that";
      throw new Error(`${why} other users may write to: ${path}`);
    }
    if (path === dirname(path)) return;
  }
}
