import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArenaOverview, MatchStory, WatchedArena } from "./watched.ts";

const jobPattern = /^arena-(\d+)-[0-9a-f]{8}$/;

/** The files of one arena, in a folder of its own: an overview, and each match that is over. */
export class ArenaFiles {
  readonly #folder: string;

  constructor(data: string, job_id: string) {
    this.#folder = join(data, "arenas", job_id);
  }

  async writeOverview(overview: ArenaOverview): Promise<void> {
    await this.#write("arena.json", { ...overview, pages: null });
  }

  async writeStory(match: number, story: MatchStory): Promise<void> {
    await this.#write(`match-${match}.json`, story);
  }

  async readOverview(): Promise<ArenaOverview> {
    return JSON.parse(await this.#read("arena.json"));
  }

  /** Null: there is no such file. */
  async readStory(match: number): Promise<MatchStory | null> {
    try {
      return JSON.parse(await this.#read(`match-${match}.json`));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), "utf8");
  }

  /** A reader sees the whole file or the one before. */
  async #write(name: string, content: object): Promise<void> {
    const path = join(this.#folder, name);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify(content));
    await rename(`${path}.new`, path);
  }
}

/** The arenas that a folder keeps, newest first. */
export async function keptArenas(data: string): Promise<readonly string[]> {
  const names = await readdir(join(data, "arenas")).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const startOf = (name: string): number => Number(jobPattern.exec(name)?.[1]);
  return names.filter((name) => jobPattern.test(name)).sort((a, b) => startOf(b) - startOf(a));
}

/** An arena that has ended. */
export async function openKeptArena(data: string, job_id: string): Promise<WatchedArena> {
  const files = new ArenaFiles(data, job_id);
  const kept = await files.readOverview();
  // One that was ended early keeps the matches that were over.
  const overview = { ...kept, matches: kept.matches.filter(({ is_over }) => is_over) };
  return { overview: () => overview, story: (match) => files.readStory(match) };
}

const isMissing = (error: unknown): boolean => Object(error).code === "ENOENT";
