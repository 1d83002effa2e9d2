import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ImportReport, openPointsStore, type PointsStore } from "@proj/points-server";
import { temporaryFolder } from "@proj/test-kit";
import { program } from "../snapshots/swaps.ts";
import { type DatabaseName, temporaryStorage } from "../storage/temporary-storage.ts";

export interface ImportingStore extends AsyncDisposable {
  readonly store: PointsStore;
  /** Writes a file with these lines. @returns its path */
  file(name: string, lines: readonly (string | object)[]): Promise<string>;
  /** Points for swaps by address, in a snapshot built now. */
  points(): Promise<Record<string, string>>;
}

export const pool = "pool-1";

/** A store with all its threads, and a folder for files. */
export async function importingStore(
  database: DatabaseName,
  { jobNiceness = 0 }: { jobNiceness?: number } = {},
): Promise<ImportingStore> {
  const storage = await temporaryStorage(database);
  const folder = await temporaryFolder();
  const promoted = { address: pool, pointsPerSecond: "1", startCountTimestamp: "0" };
  const store = await openPointsStore({
    db_url: storage.db_url,
    program: { ...program, promotedPools: [promoted] },
    synchronous: "normal",
    jobNiceness,
  });
  return {
    store,
    file: async (name, lines) => {
      const path = join(folder.path, name);
      const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
      await writeFile(path, texts.join("\n"));
      return path;
    },
    points: async () => {
      await store.buildSnapshot();
      const page = { ranking: "swaps", address: null, offset: 0, size: 1000 } as const;
      const { leaderboard } = JSON.parse((await store.readPage(page)).body.toString());
      return Object.fromEntries(
        leaderboard.map(({ address, points }: Record<string, string>) => [address, points]),
      );
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder.remove();
      await storage[Symbol.asyncDispose]();
    },
  };
}

/** The counts of a report, without its errors. */
export const counts = ({ errors: _, ...rest }: ImportReport): Omit<ImportReport, "errors"> => rest;
