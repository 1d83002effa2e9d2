import type { EnvironmentRow, StoredStep } from "@proj/session-store";
import { expect } from "vitest";
import type { CrashJob } from "./crash-job.ts";

/**
 * Expects that every simulation of a job is finished exactly once, with one reward, and that the gateway has nothing
 * left of it. @returns how the attempts of each simulation ended
 */
export async function expectFinishedOnce(
  job: CrashJob,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const environments = await job.environments();
  const bySimulation = Map.groupBy(environments, ({ simulation_id }) => simulation_id);
  for (const attempts of bySimulation.values()) {
    expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_, index) => index + 1));
    expect(attempts.map(({ status }) => status)).toEqual([
      ...attempts.slice(1).map(() => "interrupted"),
      "finished",
    ]);
  }
  for (const environment of environments) {
    const { steps } = await job.site.store.readSteps({ session_id: environment.session_id });
    expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_, index) => index + 1));
    expectReward(environment, steps);
  }
  expect(await sessionsOf(job)).toEqual([]);
  return Object.fromEntries(
    [...bySimulation].map(([id, attempts]) => [id, attempts.map(({ status }) => status)]),
  );
}

function expectReward(environment: EnvironmentRow, steps: readonly StoredStep[]): void {
  const rewarded = steps.filter(
    ({ reward, step_reward, is_terminal, is_session_completed }) =>
      reward !== null || step_reward !== null || is_terminal || is_session_completed,
  );
  if (environment.status === "interrupted") {
    expect(environment.reward).toBeNull();
    expect(rewarded).toEqual([]);
    return;
  }
  // The score that the tests' evaluator gives.
  const reward = environment.attempt;
  expect(environment.reward).toBe(reward);
  expect(rewarded).toEqual([
    expect.objectContaining({
      ...{ status_code: 200, reward, step_reward: reward },
      ...{ is_terminal: true, is_session_completed: true },
    }),
  ]);
}

/** The sessions that the gateway has in memory, open or closed. */
async function sessionsOf(job: CrashJob): Promise<string[]> {
  const own = new Set((await job.environments()).map(({ session_id }) => session_id));
  const sessions: string[] = [];
  for await (const { session_id, status } of job.site.gateway.sessions()) {
    if (own.has(session_id)) sessions.push(`${session_id} is ${status}`);
  }
  return sessions;
}
