import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { functionRuntime } from "../../src/index.ts";
import { takeStep } from "../manager/rollout.ts";
import { isWatched, takeTwoSteps } from "./agent.ts";
import { CrashJob, late, soon } from "./crash-job.ts";
import { type CrashSite, startCrashSite } from "./crash-site.ts";
import { expectFinishedOnce } from "./outcome.ts";
import { overriding } from "./phases.ts";

let site: CrashSite;
beforeAll(async () => {
  site = await startCrashSite();
});
afterAll(() => site[Symbol.asyncDispose]());

describe("two launchers share a job", () => {
  test("no simulation runs twice", async () => {
    const job = await CrashJob.add(site, 40);
    const launchers = [0, 1].map(() =>
      job.start(null, { heartbeatTimeoutMs: 12_000, concurrency: 4, isShared: true }),
    );
    const begun = await Promise.all(
      launchers.map(async ({ process }) => {
        expect(await process.exit()).toEqual({ code: 0, signal: null });
        const events = process.stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
        return events.filter(({ event }) => event === "simulation_started");
      }),
    );
    expect(begun.every((events) => events.length >= 4)).toBe(true);
    const played = begun.flat().map(({ simulation_id }) => simulation_id);
    expect(played).toHaveLength(40);
    expect(new Set(played).size).toBe(40);
    await expectFinishedOnce(job);
  });

  test("one is killed: the other takes over its attempts", async () => {
    const job = await CrashJob.add(site, 6);
    const killed = job.start("closed", late);
    await killed.reached();
    const other = job.startHere(null, soon);
    killed.process.kill("SIGKILL");
    await other.job;
    const { s0 } = await expectFinishedOnce(job);
    expect(s0).toEqual(["interrupted", "finished"]);
  });

  test.for([
    "claimed",
    "runtime started",
    "runtime ended",
    "close begun",
    "closed",
    "evaluated",
  ] as const)("one falls silent when it has %s: only the other's attempt counts", async (phase) => {
    const job = await CrashJob.add(site, 2);
    const unheard = job.startHere(phase, late);
    const session_id = await unheard.reached();
    await job.startHere(null, soon).job;

    unheard.goOn();
    await unheard.job;
    expect(unheard.events).toContainEqual(
      expect.objectContaining({ event: "simulation_lost", session_id }),
    );
    const { s0 } = await expectFinishedOnce(job);
    expect(s0).toEqual(["interrupted", "finished"]);
  });

  test("one dies between an interruption and the close: the other closes the session", async () => {
    const job = await CrashJob.add(site, 2);
    const [dead] = await site.store.claim({ job_id: job.job_id, owner: "dead", limit: 1 });
    const session_id = dead?.session_id ?? "";
    expect(await stepOf(session_id)).toBe(200);
    const runtime = functionRuntime(async (request) => {
      await site.store.interrupt("dead", [session_id]);
      return takeTwoSteps(request, null);
    });
    const launcher = job.startHere(null, { ...late, runtime });
    expect(await launcher.job).toMatchObject({ finished: 2, interrupted_attempts: 1 });
    await expectFinishedOnce(job);
  });

  test("one loses its attempt: it closes the session, and the straggling agent gets 400", async () => {
    const job = await CrashJob.add(site, 1);
    const begun = Promise.withResolvers<string>();
    const runtime = functionRuntime(async (request, { signal }) => {
      if (!isWatched(request)) return takeTwoSteps(request, null);
      begun.resolve(request.session_id);
      await once(signal, "abort");
      throw signal.reason;
    });
    // Long enough that the launcher itself finds nothing stale; a heartbeat tells it of its loss within a second.
    const launcher = job.startHere(null, { heartbeatTimeoutMs: 6_000, runtime });
    const session_id = await begun.promise;
    expect(await stepOf(session_id)).toBe(200);
    await site.store.interruptStale(job.job_id, -1);
    await launcher.job;
    await expectFinishedOnce(job);
    expect(await stepOf(session_id)).toBe(400);
    expect((await site.store.readSteps({ session_id })).steps).toHaveLength(1);
  });
});

test("a launcher that was held up past the heartbeat timeout keeps its attempts", async () => {
  const job = await CrashJob.add(site, 1);
  const { store } = site;
  // After a slow one, the next heartbeat comes later than the next search for stale attempts.
  const slowHeartbeat = Promise.withResolvers<void>();
  const slowed = overriding(store, {
    heartbeat: async (owner, session_ids) => {
      const lost = await store.heartbeat(owner, session_ids);
      await sleep(20);
      setImmediate(slowHeartbeat.resolve);
      return lost;
    },
  });
  const runtime = functionRuntime(async (request) => {
    await slowHeartbeat.promise;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * soon.heartbeatTimeoutMs);
    return takeTwoSteps(request, null);
  });
  const launcher = job.startHere(null, { ...soon, runtime, store: slowed });
  expect(await launcher.job).toMatchObject({ finished: 1, interrupted_attempts: 0 });
});

test("a launcher that learns late of its own claim does not interrupt the attempt", async () => {
  const job = await CrashJob.add(site, 1);
  const { store } = site;
  const slowed = overriding(store, {
    claim: async (claim) => {
      const claimed = await store.claim(claim);
      await sleep(2 * soon.heartbeatTimeoutMs);
      return claimed;
    },
  });
  const launcher = job.startHere(null, { ...soon, store: slowed });
  expect(await launcher.job).toMatchObject({ finished: 1, interrupted_attempts: 0 });
});

async function stepOf(session_id: string): Promise<number> {
  return takeStep(await site.gateway.sessionBaseUrl(session_id), site.llm_model);
}
