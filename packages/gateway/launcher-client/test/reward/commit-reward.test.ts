import {
  type JobStore,
  monotonicMs,
  openJobStore,
  openStore,
  StoreUnavailableError,
} from "@proj/session-store";
import { expect, test } from "vitest";
import { commitReward } from "../../src/reward/commit-reward.ts";
import { temporaryStorage } from "../temporary-storage.ts";
import { stepRow } from "./step-row.ts";

const unavailable = new StoreUnavailableError("the file is locked");

test("a commit that lost its acknowledgement is retried, and commits once", async () => {
  await using storage = await temporaryStorage();
  const [store, writer] = await Promise.all([openJobStore(storage), openStore(storage)]);
  const simulation = { simulation_id: "a", env_name: null, env_params: null, group_id: null };
  await store.addSimulations("job", [simulation]);
  const [environment] = await store.claim({ job_id: "job", owner: "launcher", limit: 1 });
  const session_id = environment?.session_id ?? expect.fail("nothing was claimed");
  await writer.writeSteps([stepRow(session_id, 1)], { deadline: monotonicMs() + 15_000 });
  let commits = 0;
  const lossy: Pick<JobStore, "commitReward"> = {
    commitReward: async (commit) => {
      commits += 1;
      const outcome = await store.commitReward(commit);
      if (commits === 1) throw unavailable;
      return outcome;
    },
  };
  const outcome = await commitReward(lossy, {
    ...{ session_id, owner: "launcher", model: "policy", step_id: 1, reward: 0.5 },
    ...{ is_truncated: false, evaluation: '{"score":0.5}', result: "{}" },
  });
  expect(outcome).toBe("already_committed");
  expect(await store.readEnvironment(session_id)).toMatchObject({
    status: "finished",
    reward: 0.5,
  });
  const { steps } = await store.readSteps({ session_id });
  expect(steps).toMatchObject([{ step_reward: 0.5, is_session_completed: true }]);
  await Promise.all([store.close(), writer.close()]);
});

const commit = {
  ...{ session_id: "s", owner: "launcher", model: "policy", step_id: 1, reward: 1 },
  ...{ is_truncated: false, evaluation: "{}", result: "{}" },
};

test("a storage that stays unavailable is an error when the time is up", async () => {
  const away = { commitReward: async () => Promise.reject(unavailable) };
  const committing = commitReward(away, commit, { storeTimeoutMs: 250 });
  await expect(committing).rejects.toBe(unavailable);
});

test("only an unavailable store is retried, until an abort", async () => {
  let commits = 0;
  const broken = {
    commitReward: async () => {
      commits += 1;
      throw new RangeError("the reward is not finite");
    },
  };
  await expect(commitReward(broken, commit)).rejects.toThrow(RangeError);
  expect(commits).toBe(1);
  const abort = new AbortController();
  const away = {
    commitReward: async () => {
      abort.abort("the launcher stops");
      throw unavailable;
    },
  };
  const committing = commitReward(away, commit, { signal: abort.signal });
  await expect(committing).rejects.toBe("the launcher stops");
});
