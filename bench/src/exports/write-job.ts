import { monotonicMs, openJobStore, openStore, type StepRow } from "@proj/session-store";

export const STEPS_PER_SESSION = 100;
/** New tokens of a step: half in the prompt, half sampled. */
const TOKENS_PER_STEP = 20;
const JOB_ID = "bench";

/** Fills a database with a finished job whose simulations take 100 steps, each with a longer history. */
export async function writeJob(db_url: string, sessions: number): Promise<void> {
  const storage = { storage_type: "sqlite", storage_config: { db_url } } as const;
  const steps = await openStore(storage);
  const jobs = await openJobStore(storage);
  const simulations = Array.from({ length: sessions }, (_, at) => ({
    simulation_id: `s${String(at).padStart(6, "0")}`,
    ...{ env_name: null, env_params: null, group_id: null },
  }));
  await jobs.addSimulations(JOB_ID, simulations);
  const owner = "bench";
  for (;;) {
    const claimed = await jobs.claim({ job_id: JOB_ID, owner, limit: 10 });
    if (claimed.length === 0) break;
    for (const { session_id } of claimed) {
      const options = { deadline: monotonicMs() + 60_000 };
      await steps.writeSteps(rowsOf(session_id), options);
      const step = { model: "bench-model", step_id: STEPS_PER_SESSION, reward: 1 };
      const judged = { is_truncated: false, evaluation: "{}", result: "{}" };
      await jobs.commitReward({ session_id, owner, ...step, ...judged });
    }
  }
  await jobs.close();
  await steps.close();
}

function rowsOf(session_id: string): StepRow[] {
  const begun = Date.now();
  const messages: object[] = [{ role: "user", content: "begin" }];
  return Array.from({ length: STEPS_PER_SESSION }, (_, step): StepRow => {
    const before = step * TOKENS_PER_STEP;
    const prompt_token_ids = count(0, before + TOKENS_PER_STEP / 2);
    const token_ids = count(before + TOKENS_PER_STEP / 2, TOKENS_PER_STEP / 2);
    const message = { role: "assistant", content: `step ${step}` };
    const content = token_ids.map((id) => ({ token: `t${id}`, logprob: -0.5 }));
    const choice = { index: 0, message, token_ids, logprobs: { content }, finish_reason: "stop" };
    const row: StepRow = {
      request_id: `${session_id}-${step}`,
      session_id,
      model: "bench-model",
      step_id: step + 1,
      epoch: null,
      status_code: 200,
      env_name: null,
      job_id: JOB_ID,
      group_id: null,
      created_at: new Date(begun + 2 * step + 1).toISOString(),
      meta_json: JSON.stringify({
        status_code: 200,
        started_at: new Date(begun + 2 * step).toISOString(),
      }),
      request: Buffer.from('{"model":"bench-model","messages":null}'),
      response: Buffer.from(JSON.stringify({ id: "c", choices: [choice], prompt_token_ids })),
      messages: Buffer.from(JSON.stringify(messages)),
      history: null,
    };
    messages.push(message, { role: "user", content: "go on" });
    return row;
  });
}

const count = (first: number, length: number): number[] =>
  Array.from({ length }, (_, at) => 1_000 + ((first + at) % 30_000));
