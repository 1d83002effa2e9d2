import { expect, test } from "vitest";
import type { ForkOrigin } from "../../src/session-fork.ts";
import { newJobId, sharedJobs } from "../temporary-jobs.ts";

const database = sharedJobs();

const origin: ForkOrigin = {
  from_session_id: "source",
  model: "policy",
  step: 3,
  mode: "fork",
  ignore: ["metadata.user_id", "input[*].id"],
};

test("a session begins from the first given record, and without one from nothing", async () => {
  const { store } = database;
  const fork = { session_id: "forked", ...origin };
  expect(await store.readFork("forked")).toBeNull();
  expect((await store.readSession("forked")).fork).toBeNull();
  expect(await store.forkSession(fork)).toEqual(fork);
  expect(await store.forkSession({ ...fork, step: 4 })).toEqual(fork);
  expect(await store.readFork("forked")).toEqual(fork);
  expect(await store.readSession("forked")).toEqual({ models: [], environment: null, fork });
});

test("nulls mean the whole record", async () => {
  const { store } = database;
  const fork = {
    session_id: "replayed",
    from_session_id: "source",
    model: null,
    step: null,
    mode: "replay",
    ignore: [],
  } as const;
  expect(await store.forkSession(fork)).toEqual(fork);
  expect(await store.readFork("replayed")).toEqual(fork);
});

test("every attempt of a simulation begins from the same record as its first", async () => {
  const { jobs, store } = database;
  const job_id = newJobId();
  const common = { env_name: null, env_params: null, group_id: "siblings" };
  await jobs.addSimulations(job_id, [
    { simulation_id: "forked", ...common, fork: origin },
    { simulation_id: "plain", ...common },
  ]);
  const claimed = await jobs.claim({ job_id, owner: "launcher", limit: 10 });
  const [first, plain] = claimed.map(({ session_id }) => session_id);
  expect(await jobs.readFork(first ?? "")).toEqual({ session_id: first, ...origin });
  expect(await jobs.readFork(plain ?? "")).toBeNull();

  await jobs.interrupt("launcher", [first ?? "", plain ?? ""]);
  const again = await jobs.claim({ job_id, owner: "launcher", limit: 10 });
  const [second] = again.map(({ session_id }) => session_id);
  expect(second).not.toBe(first);
  expect(await store.readFork(second ?? "")).toEqual({ session_id: second, ...origin });
  expect(await jobs.readFork(again[1]?.session_id ?? "")).toBeNull();
});
