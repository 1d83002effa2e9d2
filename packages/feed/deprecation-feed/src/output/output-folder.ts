import { randomUUID } from "node:crypto";
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";

// OUT/.versions/<version>/…    the files of one run
// OUT/.current                 a link to one of them: swapping it publishes the run
// OUT/v1, OUT/index.html, …    links through `.current`, made once
const versionsName = ".versions";
const currentName = ".current";

/** Another run has published since the state was read, or the folder has files that are not ours. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/**
 * The folder with the currently published files; null before the first publication, and in a copy without its
 * links.
 */
export async function currentFolder(folder: string): Promise<string | null> {
  const target = await readlink(join(folder, currentName)).catch(() => null);
  return target === null ? null : join(folder, target);
}

/**
 * Replaces all files of a folder in one step: whenever it is read, or the process killed, it has either the old files or
 * the new ones. An unchanged file keeps its time. Other files in the folder are left alone.
 * @param files by path below the folder, with `/` as the separator
 * @param replaced the result of `currentFolder` before the files were made
 * @throws OutputError nothing has changed
 */
export async function publish(
  folder: string,
  files: ReadonlyMap<string, string>,
  replaced: string | null,
): Promise<void> {
  const names = new Set([...files.keys()].map((path) => path.split("/", 1)[0] ?? path));
  await requireOurs(join(folder, currentName), () => true);
  for (const name of names)
    await requireOurs(join(folder, name), (target) => target === join(currentName, name));
  const version = `${Date.now()}-${randomUUID().slice(0, 8)}`;
  const target = join(versionsName, version);
  for (const [path, text] of files)
    await writeOne(join(folder, target, path), text, replaced, path);
  await Promise.all([...names].map((name) => linkOnce(folder, name)));
  if ((await currentFolder(folder)) !== replaced) {
    await rm(join(folder, target), { recursive: true, force: true });
    throw new OutputError(`another run has written to ${folder} meanwhile; nothing was changed`);
  }
  const link = join(folder, `${currentName}-${version}`);
  await symlink(target, link, "dir");
  await rename(link, join(folder, currentName));
  const kept = [version, replaced === null ? "" : basename(replaced)];
  // The files are published; leftovers that cannot be removed now are removed by the next run.
  await removeLeftovers(folder, kept).catch(() => {});
}

/** A file or folder of that name from elsewhere could only be replaced in two steps. */
async function requireOurs(path: string, isOurs: (target: string) => boolean): Promise<void> {
  if ((await lstat(path).catch(() => null)) === null) return;
  const target = await readlink(path).catch(() => null);
  if (target !== null && isOurs(target)) return;
  throw new OutputError(
    `${path} already exists and is not a link of an earlier run. Choose another folder for the output; ` +
      "if this one is a copy of an earlier output, name it as the state.",
  );
}

async function writeOne(
  path: string,
  text: string,
  replaced: string | null,
  name: string,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: "wx", flush: true });
  if (replaced === null) return;
  const old = join(replaced, name);
  const before = await readFile(old, "utf8").catch(() => null);
  if (before !== text) return;
  // Web servers derive their validators from the time in whole seconds.
  const seconds = Math.floor((await stat(old)).mtimeMs / 1000);
  await utimes(path, seconds, seconds);
}

async function linkOnce(folder: string, name: string): Promise<void> {
  await symlink(join(currentName, name), join(folder, name)).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** The previous version is kept for readers that have begun to read it. */
async function removeLeftovers(folder: string, kept: readonly string[]): Promise<void> {
  const versions = await readdir(join(folder, versionsName));
  const old = versions.filter((name) => !kept.includes(name));
  const links = (await readdir(folder)).filter((name) => name.startsWith(`${currentName}-`));
  const paths = [...old.map((name) => join(versionsName, name)), ...links];
  await Promise.all(paths.map((path) => rm(join(folder, path), { recursive: true, force: true })));
}
