import { expect, test } from "vitest";
import { exportFormats, parseRolloutFilter } from "../../src/index.ts";
import { whyNothingIsExported } from "../../src/training/why-nothing.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";

const database = sharedDatabase();
const formatOf = (name: string) => exportFormats.find((format) => format.name === name);

test("an export without lines says why, from what the job lacks first", async () => {
  const job = database.newJob();
  const why = (name?: string, ...filters: string[]) =>
    whyNothingIsExported(job.store, {
      ...{ launcher: "launcher", job_id: job.job_id },
      format: name === undefined ? undefined : formatOf(name),
      filters: filters.flatMap((text) => parseRolloutFilter(text) ?? []),
    });
  expect(await why()).toBe("there are no simulations");
  const first = await job.claim("s1");
  expect(await why()).toBe("no simulation has ended with a reward: 1 running");
  await job.fail(await job.claim("s2"), "x");
  expect(await why()).toBe(
    "no simulation has ended with a reward: 1 running, 1 failed; launcher status says why they failed",
  );
  await job.finish(first, 1, { step_id: null });
  expect(await why("sequences", "reward<1")).toBe("--filter and --since exclude the only rollout");
  expect(await why()).toBe("1 rollout ended, but no step has status 200");
  await job.finish(await job.claim("s3"), 1, { step_id: null });
  expect(await why("sequences", "reward<1")).toBe("--filter and --since exclude all 2 rollouts");
  expect(await why("sequences", "simulation_id=s3")).toMatch(
    /^1 rollout ended, but none has tokens/,
  );
  expect(await why("messages")).toMatch(/^2 rollouts ended, but no conversation was recorded/);
});

test("a filter by reward passes no attempt without one, and a bound is a number", async () => {
  const job = database.newJob();
  await job.fail(await job.claim("s1"), "x");
  const [failed] = (await job.store.readEnvironments({ job_id: job.job_id })).environments;
  if (failed === undefined) throw new Error("there is an attempt");
  const passes = (text: string) => parseRolloutFilter(text)?.(failed);
  expect(["reward<1", "reward=0", "status=failed"].map(passes)).toEqual([false, false, true]);
  expect(["reward< ", "reward=", "reward=Infinity"].map(passes)).toEqual(Array(3).fill(undefined));
});
