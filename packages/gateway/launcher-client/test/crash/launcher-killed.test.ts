import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CrashJob, late, soon } from "./crash-job.ts";
import { type CrashSite, startCrashSite } from "./crash-site.ts";
import { expectFinishedOnce } from "./outcome.ts";
import { isRewarded, type Phase, phases } from "./phases.ts";

let site: CrashSite;
beforeAll(async () => {
  site = await startCrashSite();
});
afterAll(() => site[Symbol.asyncDispose]());

/** @returns the session of the attempt that was in that phase */
async function killIn(phase: Phase, job: CrashJob): Promise<string> {
  const launcher = job.start(phase, phase === "interrupted" ? soon : late);
  const session_id = await launcher.reached();
  launcher.process.kill("SIGKILL");
  await launcher.process.exit();
  return session_id;
}

describe.concurrent("a launcher is killed and started again", () => {
  test.for(phases)("while an attempt is %s: each simulation is finished once", async (phase) => {
    const job = await CrashJob.add(site, 3);
    const session_id = await killIn(phase, job);
    const environment = await site.store.readEnvironment(session_id);
    expect(environment?.status).toBe(isRewarded(phase) ? "finished" : "running");

    const { process } = job.start(null, soon);
    expect(await process.exit()).toEqual({ code: 0, signal: null });
    const { s0 } = await expectFinishedOnce(job);
    expect(s0).toEqual(isRewarded(phase) ? ["finished"] : ["interrupted", "finished"]);
  });

  test("before it closed the sessions that it had interrupted: none stays open", async () => {
    const job = await CrashJob.add(site, 2);
    const session_id = await killIn("runtime ended", job);
    expect(await killIn("interrupted", job)).toBe(session_id);
    expect(await site.gateway.session(session_id)).toMatchObject({ status: "active" });

    const { process } = job.start(null, soon);
    expect(await process.exit()).toEqual({ code: 0, signal: null });
    const { s0 } = await expectFinishedOnce(job);
    expect(s0).toEqual(["interrupted", "finished"]);
  });
});
