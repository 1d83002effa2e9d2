import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import type { JobStore } from "../../../src/job-store.ts";
import { linesOf, nodeArguments, start } from "../../store-process.ts";
import { connectTo, openStoreOf, soon, temporaryFile } from "../../temporary-database.ts";
import { expectKept, openJobsOf, rewardOf, simulations, stepOf } from "../../temporary-jobs.ts";

/** Attempts that run for `me`, each with a step for its reward. */
async function runningAttempts(file: string, jobs: JobStore, count: number): Promise<string[]> {
  await jobs.addSimulations("job", simulations(count));
  const claimed = await jobs.claim({ job_id: "job", owner: "me", limit: count });
  const session_ids = claimed.map(({ session_id }) => session_id);
  const store = await openStoreOf(file);
  const steps = session_ids.map((session_id) => stepOf(session_id));
  await store.writeSteps(steps, soon());
  await store.close();
  return session_ids;
}

test("two processes that claim from one job never get the same attempt", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file);
  await jobs.addSimulations("job", simulations(300));
  const claimed = await Promise.all(
    ["me", "you"].map(async (owner) => {
      const lines = linesOf(start(process.execPath, nodeArguments("claim", file, owner)));
      const ids: string[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        ids.push(line.value);
      }
      return ids;
    }),
  );
  expect(claimed.flat().toSorted()).toEqual(
    simulations(300).map(({ simulation_id }) => simulation_id),
  );
  expect(await jobs.readJob("job")).toMatchObject({ pending: 0, running: 300 });
});

test("a killed process leaves no finished attempt without its reward, and no reward without its end", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file);
  await runningAttempts(file, jobs, 900);
  const connection = connectTo(file);
  const states = connection.prepare<[], { status: string; reward: number; steps: number }>(`
    select status, sum(is_session_completed) as reward, count(*) as steps
    from job_environments join session_steps using (session_id) group by status`);
  const query = async <Row>(sql: string, ...values: unknown[]): Promise<readonly Row[]> =>
    connection.prepare<unknown[], Row>(sql).all(...values);
  let finished = 0;
  for (const untilKilled of [17, 60, 140]) {
    const child = start(process.execPath, nodeArguments("reward", file, "me"));
    const lines = linesOf(child);
    let acknowledged = 0;
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      acknowledged += 1;
      if (acknowledged === untilKilled) child.kill("SIGKILL");
    }
    const before = finished;
    await expectKept({ query }, "job");
    const { running, ...job } = (await jobs.readJob("job")) ?? { running: 0, finished: 0 };
    finished = job.finished;
    // One may have been committed without its acknowledgement being written.
    expect([acknowledged, acknowledged + 1]).toContain(finished - before);
    expect(states.all()).toEqual([
      { status: "finished", reward: finished, steps: finished },
      { status: "running", reward: 0, steps: running },
    ]);
  }
});

test("rewards are committed in time while a gateway writes as fast as it can", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file);
  const sessions = await runningAttempts(file, jobs, 500);
  const gateway = start(process.execPath, nodeArguments("write", file));
  const lines = linesOf(gateway);
  const firstStep = Number((await lines.next()).value);
  let lastStep = firstStep;
  const written = (async () => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      lastStep = Number(line.value);
    }
  })();
  const times: number[] = [];
  for (const session_id of sessions) {
    const began = performance.now();
    expect(await jobs.commitReward(rewardOf(session_id))).toBe("committed");
    times.push(performance.now() - began);
  }
  // The gateway kept writing throughout: it neither failed nor starved.
  expect(gateway.exitCode).toBeNull();
  gateway.kill("SIGKILL");
  await written;
  expect(lastStep).toBeGreaterThan(firstStep + 100);
  times.sort((first, second) => first - second);
  const [p50 = 0, p99 = Infinity] = [times[249], times[494]];
  console.info(
    `500 rewards beside ${lastStep - firstStep} steps: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
  expect(p99).toBeLessThan(1000);
  expect(await jobs.readJob("job")).toMatchObject({ finished: 500, mean_reward: 0.5 });
});

const isRoot = process.getuid?.() === 0;
const nobody = 65534;

test.skipIf(process.platform === "win32")(
  "a read-only file is unavailable to a launcher",
  async () => {
    const file = await temporaryFile();
    await (await openJobsOf(file)).close();
    await chmod(file, 0o444);
    await chmod(dirname(file), 0o555);
    // Root may write every file.
    const user = isRoot ? nobody : undefined;
    const child = start(process.execPath, nodeArguments("failJobs", file), user);
    const { value: complaint } = await linesOf(child).next();
    expect(complaint).toMatch(/^StoreUnavailableError: .* check .* its folder/);
    if (child.exitCode === null) await once(child, "exit");
    await chmod(dirname(file), 0o755);
  },
);
