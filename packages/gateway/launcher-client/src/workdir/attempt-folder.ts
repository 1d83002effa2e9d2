import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandUser } from "../child-process/command-user.ts";
import { checkParents, giveFolders } from "./give-folders.ts";
import { readWritten } from "./read-written.ts";
import { removeFolders } from "./remove-folders.ts";

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
  #user: CommandUser | null = null;

  /** @param make creates the root, which must be new and empty, and returns its path */
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

  /**
   * Gives the three folders and their contents to the user that the agent runs as. The root stays the launcher's: so
   * the agent cannot put something else in their place. Once given, they are not given again.
   * @throws Error another user could rename the root, or it was given to another one
   */
  async give(user: CommandUser): Promise<void> {
    const paths = await this.open();
    if (this.#user?.uid === user.uid) return;
    if (this.#user !== null) throw new Error(`the folder already belongs to '${this.#user.name}'`);
    await checkParents(paths.root);
    this.#user = user;
    await giveFolders(paths, user);
  }

  /**
   * The beginning of a file in the agent's home, if the agent wrote one: nothing else is opened.
   * @param longest in bytes
   * @returns null: there is no such file
   * @throws the signal's reason
   */
  async readFromHome(name: string, longest: number, signal: AbortSignal): Promise<string | null> {
    const { home } = await this.open();
    return readWritten(join(home, name), longest, this.#user, signal);
  }

  /** @throws Error part of the folder remains */
  async remove(): Promise<void> {
    const paths = await this.#opening?.catch(() => null);
    if (paths) await removeFolders(paths, this.#user);
  }

  async #create(): Promise<AttemptPaths> {
    const root = await this.#make();
    const paths = { root, ...foldersOf(root) };
    for (const path of [paths.work, paths.home, paths.tmp]) await mkdir(path, { mode: 0o700 });
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
