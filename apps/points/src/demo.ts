import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  demoContent,
  demoEvents,
  demoProgram,
  openPointsStore,
  type PointsStore,
} from "@proj/points-server";

export interface Demo {
  readonly store: PointsStore;
  /** Removes the data; the store must be closed. */
  remove(): Promise<void>;
}

/** A store of made-up data, in a temporary folder. */
export async function openDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), "points-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const now = Math.floor(Date.now() / 1_000);
  let store: PointsStore | null = null;
  try {
    const db_url = `sqlite://${join(folder, "points.db")}`;
    store = await openPointsStore({
      ...{ db_url, program: demoProgram(now), synchronous: "normal" },
      // A person is waiting for the first snapshot.
      jobNiceness: 0,
    });
    await store.ingest(demoEvents(now));
    const content = join(folder, "content.jsonl");
    await writeFile(content, demoContent(now));
    await store.importContent(content);
    return { store, remove };
  } catch (error) {
    await store?.close();
    await remove();
    throw error;
  }
}
