import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { archiveJob, pruneArchived } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import { allRows, archivedJob, archivedRows } from "./archived-job.ts";

const database = sharedDatabase();

test("archived steps are deleted, also where an earlier pruning was cut short", async () => {
  await using folder = await temporaryFolder();
  const { store, job_id, before, options } = await archivedJob(database, folder.path);
  const [first] = before.environments;
  const session_ids = [first?.session_id ?? ""];
  expect(await store.pruneSessions({ session_ids, keep: "rows" })).toBe(5);
  expect(await pruneArchived(store, options)).toEqual({ pruned: 3, kept: 0 });
  expect(await pruneArchived(store, options)).toEqual({ pruned: 0, kept: 0 });
  const { environments, steps, scores } = await allRows(store, job_id);
  expect(steps).toEqual([]);
  expect({ environments, scores }).toEqual({
    environments: before.environments,
    scores: before.scores,
  });
  expect(await archiveJob(store, options)).toMatchObject({ archived: 0 });
  expect(await archivedRows(folder.path, job_id)).toEqual(before);
});

test.for(["steps", "scores", "values"] as const)(
  "nothing is deleted while a file of %s is damaged",
  async (table) => {
    await using folder = await temporaryFolder();
    const { store, job_id, before, options } = await archivedJob(database, folder.path);
    const names = await readdir(join(folder.path, table), { recursive: true });
    const name = names.find((one) => one.endsWith(".parquet") || /[0-9a-f]{64}$/.test(one)) ?? "";
    const file = join(folder.path, table, name);
    const bytes = await readFile(file);
    await writeFile(file, bytes.with(20, (bytes[20] ?? 0) ^ 1));
    await expect(pruneArchived(store, options)).rejects.toThrow(
      /^nothing was pruned: .* is damaged/,
    );
    expect(await allRows(store, job_id)).toEqual(before);
    await writeFile(file, bytes);
    expect(await pruneArchived(store, options)).toEqual({ pruned: 3, kept: 0 });
  },
);

test("a rollout from which another job's fork begins stays, and reads as before, until the fork is pruned", async () => {
  await using folder = await temporaryFolder();
  const { store, job_id, before, options } = await archivedJob(database, folder.path);
  const [origin = ""] = before.environments.map((one) => one.session_id);
  const forks = database.newJob();
  const simulation = { simulation_id: "fork", env_name: null, env_params: null, group_id: null };
  const fork = { from_session_id: origin, model: "policy", step: 2, mode: "fork" } as const;
  await store.addSimulations(forks.job_id, [{ ...simulation, fork: { ...fork, ignore: [] } }]);
  const [attempt] = await store.claim({ job_id: forks.job_id, owner: "launcher-1", limit: 1 });
  const session_id = attempt?.session_id ?? "";
  await forks.step(session_id);
  expect(await pruneArchived(store, options)).toEqual({ pruned: 2, kept: 1 });
  const ofOrigin = before.steps.filter((step) => step.session_id === origin);
  expect((await store.readSteps({ session_id: origin })).steps).toEqual(ofOrigin);
  expect(await store.readFork(session_id)).toMatchObject(fork);
  await forks.finish(session_id, 1);
  const ofForks = { ...options, job_id: forks.job_id };
  await archiveJob(store, ofForks);
  expect(await pruneArchived(store, ofForks)).toEqual({ pruned: 1, kept: 0 });
  expect(await pruneArchived(store, options)).toEqual({ pruned: 1, kept: 0 });
  expect((await archivedRows(folder.path, job_id)).steps).toEqual(before.steps);
  expect((await archivedRows(folder.path, forks.job_id)).steps).toHaveLength(1);
});

test("what the archive does not have stays", async () => {
  await using folder = await temporaryFolder();
  const { job, store, job_id, before, options } = await archivedJob(database, folder.path);
  const [first = "", second = "", third = ""] = before.environments.map((one) => one.session_id);
  // A rollout that was scored again, one with a new step, and one that is not archived.
  const given = { model: "policy", step_id: 1, is_truncated: false, evaluation: '{"again":true}' };
  await store.replaceReward({ session_id: first, reward: 0.9, ...given });
  await job.step(second);
  const open = await job.claim("open");
  await job.step(open);
  expect(await pruneArchived(store, options)).toEqual({ pruned: 1, kept: 2 });
  const { steps } = await allRows(store, job_id);
  const left = new Map<string, number>();
  for (const { session_id } of steps) left.set(session_id, 1 + (left.get(session_id) ?? 0));
  expect(left).toEqual(
    new Map([
      [first, 5],
      [second, 6],
      [open, 1],
    ]),
  );
  expect(left.has(third)).toBe(false);
  expect((await archivedRows(folder.path, job_id)).steps).toEqual(before.steps);
});
