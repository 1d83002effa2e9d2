import { seededRandom } from "@proj/launcher-client/statistics";
import { monotonicMs, openJobStore, openStore } from "@proj/session-store";

// The jobs of the worked example in docs/evaluation.md, without an agent and a model.

const tasks = 40;
const rollouts = 4;

/** What is true of the two prompts: on every task, 20 more of 100 rollouts pass with the second. */
export const trueDifference = 0.2;

/**
 * Writes the jobs `prompt-a` and `prompt-b` as a launcher would have: forty tasks, from hard to easy, with four
 * rollouts each.
 */
export async function writeTwoPrompts(db_url: string): Promise<void> {
  const random = seededRandom(7);
  for (const [job_id, gain] of [
    ["prompt-a", 0],
    ["prompt-b", trueDifference],
  ] as const)
    await writeJob(db_url, job_id, tasks * rollouts, (task) =>
      Number(random() < (task / tasks) * 0.7 + 0.05 + gain),
    );
}

/** Writes a job with four rollouts of each task. @param rewardOf a task, from 1 */
export async function writeJob(
  db_url: string,
  job_id: string,
  count: number,
  rewardOf: (task: number) => number,
): Promise<void> {
  const options = { storage_type: "sqlite", storage_config: { db_url } } as const;
  const store = await openStore({ ...options, storage_config: { db_url, isOwner: false } });
  const jobs = await openJobStore(options);
  const simulations = Array.from({ length: count }, (_, index) => {
    const group_id = `task-${Math.floor(index / rollouts) + 1}`;
    const simulation_id = `${group_id}-${(index % rollouts) + 1}`;
    return { simulation_id, group_id, env_name: null, env_params: null };
  });
  await jobs.addSimulations(job_id, simulations);
  const claimed = await jobs.claim({ job_id, owner: "me", limit: simulations.length });
  const messages = Buffer.from('[{"role":"user","content":"How do I reset it?"}]');
  const response = Buffer.from(
    '{"choices":[{"index":0,"message":{"role":"assistant","content":"Hold the button."}}]}',
  );
  const rows = claimed.map(({ session_id, group_id }) => ({
    ...{ session_id, job_id, group_id, env_name: null },
    ...{ request_id: session_id, model: "policy", step_id: 1, epoch: null, status_code: 200 },
    created_at: new Date().toISOString(),
    meta_json:
      '{"status_code":200,"endpoint":"chat_completions","prompt_tokens":100,"completion_tokens":20}',
    ...{ request: Buffer.from('{"model":"policy","messages":null}'), response, messages },
    history: null,
  }));
  await store.writeSteps(rows, { deadline: monotonicMs() + 60_000 });
  for (const { session_id, group_id } of claimed) {
    const reward = rewardOf(Number(group_id?.slice("task-".length)));
    await jobs.commitReward({
      ...{ session_id, owner: "me", model: "policy", step_id: 1, reward, is_truncated: false },
      evaluation: JSON.stringify({ score: reward }),
      result: '{"status":"completed"}',
    });
  }
  await jobs.close();
  await store.close();
}

if (import.meta.main) await writeTwoPrompts(process.argv[2] ?? "sqlite://data/two-prompts.db");
