import { chmod, lchown, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folders of one attempt, shared with no other. */
export interface AttemptPaths {
  /** Holds the three others and nothing else. */
  readonly root: string;
  /** The working directory. */
  readonly work: string;
  readonly home: string;
  readonly tmp: string;
}

/** A folder for one attempt, created when it is first needed. */
export class AttemptFolder {
  readonly #make: () => Promise<string>;
  #opening: Promise<AttemptPaths> | null = null;
  #paths: AttemptPaths | null = null;

  /** @param make creates the root and returns its path */
  constructor(make: () => Promise<string>) {
    this.#make = make;
  }

  /** The working directory; null: the folder has not been needed yet. */
  get work(): string | null {
    return this.#paths?.work ?? null;
  }

  open(): Promise<AttemptPaths> {
    this.#opening ??= this.#create();
    return this.#opening;
  }

  /** @throws what the file system throws; part of the folder may remain then */
  async remove(): Promise<void> {
    const paths = await this.#opening?.catch(() => null);
    if (paths) await removeFolder(paths.root);
  }

  async #create(): Promise<AttemptPaths> {
    const root = await this.#make();
    const paths = { root, ...foldersOf(root) };
    for (const path of [paths.work, paths.home, paths.tmp]) await mkdir(path, { recursive: true });
    this.#paths = paths;
    return paths;
  }
}

/** A temporary folder for a command that runs without a launcher. */
export const temporaryAttemptFolder = (): AttemptFolder =>
  new AttemptFolder(() => mkdtemp(join(tmpdir(), "agent-")));

export const foldersOf = (root: string): Omit<AttemptPaths, "root"> => ({
  work: join(root, "work"),
  home: join(root, "home"),
  tmp: join(root, "tmp"),
});

/** Gives a folder and its contents to the user that the agent runs as. */
export async function giveFolder(root: string, uid: number, gid: number): Promise<void> {
  await lchown(root, uid, gid);
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) await giveFolder(path, uid, gid);
    else await lchown(path, uid, gid);
  }
}

/** Removes even folders that their owner may not write to, as package managers leave them. */
async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await makeWritable(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}
