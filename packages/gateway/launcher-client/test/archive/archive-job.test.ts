import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  archiveJob,
  examineJob,
  exportFormats,
  exportRollouts,
  exportTrajectories,
  openArchive,
} from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import { allRows, archivedJob, archivedRows, variedJob } from "./archived-job.ts";

const database = sharedDatabase();

const filesIn = async (folder: string): Promise<string[]> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
};

test("an archive has the rows of the database, byte for byte, and large values once", async () => {
  const job = database.newJob();
  const { store, job_id } = job;
  await variedJob(job);
  await using folder = await temporaryFolder();
  const options = { job_id, address: folder.path };
  expect(await archiveJob(store, options)).toEqual({ archived: 3, steps: 15, already_archived: 0 });
  expect(await archivedRows(folder.path, job_id)).toEqual(await allRows(store, job_id));
  const files = await filesIn(folder.path);
  expect(files.filter((file) => file.includes("/values/"))).toHaveLength(1);

  // Once more changes nothing, and a rollout that ended since then is added.
  const before = await Promise.all(files.map((file) => readFile(file)));
  expect(await archiveJob(store, options)).toMatchObject({ archived: 0, already_archived: 3 });
  expect(await Promise.all((await filesIn(folder.path)).map((file) => readFile(file)))).toEqual(
    before,
  );
  await job.step(await job.claim("open"));
  const session_id = await job.claim("late");
  await job.step(session_id);
  await job.finish(session_id, 1);
  expect(await archiveJob(store, options)).toMatchObject({ archived: 1, already_archived: 3 });
  const { environments } = await archivedRows(folder.path, job_id);
  expect(environments.map((one) => one.simulation_id)).toEqual(["late", "s1", "s2", "s3"]);
});

test("exports and examinations of an archive are those of the database", async () => {
  await using folder = await temporaryFolder();
  const { store, job_id } = await archivedJob(database, folder.path);
  const archive = await openArchive(folder.path);
  for (const format of exportFormats) {
    const options = { format, job_id, include_failed: true, keep_side_calls: true };
    const lines = await textOf(exportRollouts(store, options));
    expect(lines.length).toBeGreaterThan(100);
    expect(await textOf(exportRollouts(archive, options))).toBe(lines);
  }
  const steps = await textOf(exportTrajectories(store, { job_id }));
  expect(await textOf(exportTrajectories(archive, { job_id }))).toBe(steps);
  expect(await examineJob(archive, job_id)).toEqual(await examineJob(store, job_id));
  await archive.close();
});

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

test("a rollout that was scored again is archived again, with its part", async () => {
  await using folder = await temporaryFolder();
  const { store, job_id, options } = await archivedJob(database, folder.path);
  const { environments } = await store.readEnvironments({ job_id });
  const session_id = environments[0]?.session_id ?? "";
  const given = { is_truncated: false, evaluation: '{"again":true}' };
  await store.replaceReward({ session_id, model: "policy", step_id: 1, reward: 0.9, ...given });
  expect(await archiveJob(store, options)).toMatchObject({ archived: 3, already_archived: 0 });
  expect(await archivedRows(folder.path, job_id)).toEqual(await allRows(store, job_id));
});

test.for(["rows", "rewards"] as const)(
  "what was pruned to its %s stays in the archive",
  async (keep) => {
    await using folder = await temporaryFolder();
    const { store, job_id, before, options } = await archivedJob(database, folder.path);
    const session_ids = before.environments.map((one) => one.session_id).slice(1);
    expect(await store.pruneSessions({ session_ids, keep })).toBeGreaterThan(0);
    expect(await archiveJob(store, options)).toMatchObject({ archived: 0, already_archived: 3 });
    expect(await archivedRows(folder.path, job_id)).toEqual(before);
  },
);

test("files that no manifest names do not count, and a damaged one is an error", async () => {
  await using folder = await temporaryFolder();
  const { store, job_id, options } = await archivedJob(database, folder.path);
  // As after a kill before the manifest was written.
  await rm(join(folder.path, "manifests"), { recursive: true });
  await writeFile(join(folder.path, "steps", `job=${job_id}`, "part-000009.parquet"), "half");
  await expect(openArchive(folder.path)).rejects.toThrow("no archive found in");
  expect(await archiveJob(store, options)).toMatchObject({ archived: 3, already_archived: 0 });
  expect(await archivedRows(folder.path, job_id)).toEqual(await allRows(store, job_id));
  const files = await filesIn(join(folder.path, "steps"));
  expect(files).toHaveLength(1);

  await writeFile(files[0] ?? "", "damaged");
  await expect(openArchive(folder.path)).rejects.toThrow(/steps\/.* is damaged/);
});

test("one session is read alone, by its id or its simulation's", async () => {
  await using folder = await temporaryFolder();
  const { store, job_id } = await archivedJob(database, folder.path);
  const { environments } = await store.readEnvironments({ job_id });
  const [, second] = environments;
  for (const session of [second?.session_id, second?.simulation_id]) {
    const archive = await openArchive(folder.path, { session });
    expect((await allRows(archive, job_id)).environments).toEqual([second]);
    await archive.close();
  }
});
