import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takeStep } from "../manager/rollout.ts";
import { CrashJob, late } from "./crash-job.ts";
import { type CrashSite, startCrashSite } from "./crash-site.ts";
import { expectFinishedOnce } from "./outcome.ts";
import { phases } from "./phases.ts";

let site: CrashSite;
beforeAll(async () => {
  site = await startCrashSite();
});
afterAll(() => site[Symbol.asyncDispose]());

describe("a gateway is killed and started again", () => {
  test.for(phases)("while an attempt is %s: each simulation is finished once", async (phase) => {
    const job = await CrashJob.add(site, 3);
    const launcher = job.startHere(phase, late);
    await launcher.reached();
    const startGateway = await site.killGateway();
    await startGateway();
    launcher.goOn();

    expect(await launcher.job).toMatchObject({ finished: 3, interrupted_attempts: 0 });
    await expectFinishedOnce(job);
  });

  test("before a launcher begins: the simulations wait for it", async () => {
    const job = await CrashJob.add(site, 3);
    const startGateway = await site.killGateway();
    const launcher = job.startHere(null, late);
    await startGateway();
    expect(await launcher.job).toMatchObject({ finished: 3, interrupted_attempts: 0 });
    await expectFinishedOnce(job);
  });

  test("after an attempt was interrupted: its agent gets 400 and writes nothing", async () => {
    const job = await CrashJob.add(site, 1);
    const launcher = job.startHere("runtime ended", late);
    const session_id = await launcher.reached();
    const startGateway = await site.killGateway();
    await site.store.interruptStale(job.job_id, -1);
    await startGateway();

    const { gateway, store, llm_model } = site;
    expect(await takeStep(await gateway.sessionBaseUrl(session_id), llm_model)).toBe(400);
    expect((await store.readSteps({ session_id })).steps).toHaveLength(2);
    launcher.goOn();
    await launcher.job;
    await expectFinishedOnce(job);
  });
});
