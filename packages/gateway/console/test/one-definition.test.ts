import { examineJob, readFailures, readRollouts } from "@proj/launcher-client";
import { reportJob } from "@proj/launcher-client/statistics";
import { type EnvironmentRow, jobEnvironments, openJobReader } from "@proj/session-store";
import { expect, test } from "vitest";
import { causesOf, groupsOf, newestAttempts } from "../src/page/jobs/job-figures.ts";
import { isFailure } from "../src/page/jobs/simulation-filter.ts";
import { sampleStore } from "./sample-store.ts";

type Ending = number | "failed" | "infrastructure";

/** A group's simulations, each by its attempts. */
const groups: Readonly<Record<string, readonly (readonly Ending[])[]>> = {
  equal: [[1], [1], [1]],
  "equal beside failures": [[0.5], [0.5], ["failed"], ["infrastructure"]],
  "equal after other attempts": [
    ["failed", 0.25],
    ["infrastructure", 0.25],
  ],
  unequal: [[1], [0], [1]],
  "one ended": [[1], ["failed"]],
  "none ended": [["failed", "failed"], ["infrastructure"]],
};
const errors = { failed: "runtime_timeout: 25 s", infrastructure: "upstream_failed: 503" };

test("the console, doctor, report and status agree about a job's rewards, groups and failures", async () => {
  await using sample = await sampleStore();
  const job_id = "job";
  for (const [group_id, simulations] of Object.entries(groups))
    for (const [member, attempts] of simulations.entries())
      for (const [at, ending] of attempts.entries()) {
        const simulation_id = `${group_id}.${member}`;
        const session_id = `${simulation_id}#${at}`;
        const scored = typeof ending === "number";
        const end = scored
          ? { status: "finished" as const, reward: ending, error: null }
          : { status: ending, reward: null, error: errors[ending] };
        sample.attempt({ session_id, job_id, group_id, simulation_id, attempt: at + 1, ...end });
      }
  // Another job's group of the same name, with another reward.
  const elsewhere = { job_id: "other", group_id: "equal", simulation_id: "a", session_id: "a" };
  sample.attempt({ ...elsewhere, status: "finished", reward: 0, error: null });

  const store = await openJobReader({
    storage_type: "sqlite",
    storage_config: { db_url: sample.db_url },
  });
  try {
    const attempts: EnvironmentRow[] = [];
    for await (const attempt of jobEnvironments(store, job_id)) attempts.push(attempt);
    const newest = newestAttempts(attempts);
    const shown = groupsOf(newest);
    const uniform = shown.flatMap(({ isUniform, group_id }) => (isUniform ? [group_id] : []));
    expect(uniform).toEqual(["equal", "equal after other attempts", "equal beside failures"]);
    expect((await examineJob(store, job_id)).zero_variance_groups.toSorted()).toEqual(uniform);
    const ofAll = await examineJob(store, undefined);
    expect(ofAll.zero_variance_groups.toSorted()).toEqual(uniform.map((name) => `job/${name}`));

    const report = reportJob(await readRollouts(store, { job_id }));
    const summary = await store.readJob(job_id);
    for (const { group_id, mean, spread, isUniform } of shown) {
      expect(report.tasks.find(({ task }) => task === group_id)?.mean).toBe(mean);
      if (isUniform) expect(spread).toBe(0);
    }
    expect(summary?.mean_reward).toBeCloseTo(report.mean ?? Number.NaN, 12);
    const failures = newest.filter(isFailure);
    for (const counted of [report, summary])
      expect([counted?.failed, counted?.infrastructure]).toEqual(
        (["failed", "infrastructure"] as const).map(
          (status) => failures.filter((attempt) => attempt.status === status).length,
        ),
      );
    const told = [
      ...(await readFailures(store, job_id)),
      ...(await readFailures(store, job_id, "infrastructure")),
    ];
    expect(told.map(({ cause, attempts }) => [cause, attempts])).toEqual(
      causesOf(attempts).map(({ cause, attempts }) => [cause, attempts.length]),
    );
  } finally {
    await store.close();
  }
});
