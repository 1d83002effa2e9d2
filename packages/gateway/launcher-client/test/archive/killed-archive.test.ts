import { fileURLToPath } from "node:url";
import type { StoredStep } from "@proj/session-store";
import { startBundled, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { ArchiveError, openArchive } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import { allRows, variedJob } from "./archived-job.ts";

const database = sharedDatabase();
const program = fileURLToPath(new URL("killed-archive-program.ts", import.meta.url));

/** In which read, and in which pruning, a run is killed; the last one is not. */
const runs = ["2,0", "5,0", "0,1", "0,2", "0,0"];

/** More rows than one transaction prunes. */
const manySteps = 300;

async function archivedSteps(folder: string, job_id: string): Promise<readonly StoredStep[]> {
  const archive = await openArchive(folder).catch((error: unknown) => {
    if (error instanceof ArchiveError && error.message.startsWith("no archive found")) return null;
    throw error;
  });
  if (archive === null) return [];
  const { steps } = await allRows(archive, job_id);
  await archive.close();
  return steps;
}

test("kills while archiving and pruning lose no step: it is in the database or the archive", async () => {
  await using folder = await temporaryFolder();
  const job = database.newJob();
  const { store, job_id, db_url } = job;
  await variedJob(job);
  const session_id = await job.claim("long");
  for (let step = 0; step < manySteps; step += 1)
    await job.step(session_id, { messages: `["${step}"]`, request: `{"n":${step}}` });
  await job.finish(session_id, 1);
  const before = new Set((await allRows(store, job_id)).steps.map(textOf));
  expect(before.size).toBe(15 + manySteps);
  let killed = 0;
  for (const calls of runs) {
    await using archiver = startBundled(program, [job_id, folder.path, db_url, calls]);
    const { code, signal } = await archiver.exit();
    if (signal === "SIGKILL") killed += 1;
    else expect(code).toBe(0);
    const stored = (await allRows(store, job_id)).steps.map(textOf);
    const archived = (await archivedSteps(folder.path, job_id)).map(textOf);
    expect(new Set([...stored, ...archived])).toEqual(before);
    // Each step is in the archive once.
    expect(new Set(archived).size).toBe(archived.length);
  }
  expect(killed).toBeGreaterThanOrEqual(3);
  expect((await allRows(store, job_id)).steps).toEqual([]);
});

const textOf = (step: StoredStep): string => JSON.stringify(Object.entries(step).toSorted());
