import { waitFor } from "@proj/test-kit";
import { expect } from "vitest";
import { CrashJob, late, soon } from "../crash/crash-job.ts";
import { startCrashSite } from "../crash/crash-site.ts";
import type { LauncherOptions } from "../crash/launcher-program.ts";

/** A cluster whose parts are killed while it runs agents. */
export interface KilledCluster {
  readonly place: LauncherOptions["place"];
  /** The command of an agent that takes two steps. */
  readonly agent: string;
  /** The names of what runs agents: jobs, or pods. */
  agents(): Promise<readonly string[]>;
  /** Ends one of them. @returns false if it is known to have ended by itself before */
  end(agent: string): Promise<boolean>;
  /** Kills what the launcher asks for agents, and starts it again. */
  killControl(): Promise<unknown>;
}

/**
 * Plays a job in a cluster while a launcher, the cluster's control and an agent are killed, each once this many
 * simulations are finished. Expects that each simulation has one reward.
 */
export async function expectRewardsDespiteKills(
  { place, agent, agents, end, killControl }: KilledCluster,
  simulations: number,
  [beforeLauncher, beforeControl, beforeAgent]: readonly [number, number, number],
): Promise<void> {
  await using site = await startCrashSite();
  const job = await CrashJob.add(site, simulations);
  const finished = async (count: number): Promise<void> => {
    const isThere = async () =>
      (await job.environments()).filter(({ status }) => status === "finished").length >= count;
    await waitFor(isThere, `${count} rewards`, 60_000);
  };
  const start = (heartbeatTimeoutMs: number) =>
    job.start(null, { command: agent, heartbeatTimeoutMs, concurrency: 4, place });
  const one = () => waitFor(async () => (await agents())[0], "an agent", 60_000);
  const endOne = async (): Promise<boolean> => end(await one());

  const first = start(late.heartbeatTimeoutMs);
  await finished(beforeLauncher);
  await one();
  first.process.kill("SIGKILL");
  await first.process.exit();
  const second = start(soon.heartbeatTimeoutMs);
  await finished(beforeControl);
  await killControl();
  await finished(beforeAgent);
  await waitFor(endOne, "an agent's end", 60_000);
  expect(await second.process.exit(200_000)).toEqual({ code: 0, signal: null });

  const environments = await job.environments();
  const bySimulation = Map.groupBy(environments, ({ simulation_id }) => simulation_id);
  expect(bySimulation.size).toBe(simulations);
  for (const attempts of bySimulation.values())
    expect(attempts.filter(({ reward }) => reward !== null)).toHaveLength(1);
  for (const { status } of environments)
    expect(["finished", "interrupted", "infrastructure"]).toContain(status);
  for (const { session_id, reward } of environments) {
    const { steps } = await site.store.readSteps({ session_id });
    const rewarded = steps.filter((step) => step.reward !== null);
    expect(rewarded.map((step) => step.reward)).toEqual(reward === null ? [] : [reward]);
  }
}
