import { type CopiedStep, openSqliteCopy, type SqliteCopy } from "@proj/session-store";

export interface Sizes {
  /** Steps of the long session. */
  readonly steps: number;
  /** Other sessions, of two steps each. */
  readonly sessions: number;
  /** Simulations of the job `large`, in groups of eight, of four steps each. */
  readonly simulations: number;
}

const begun = Date.parse("2026-01-02T03:04:05.000Z");
const words = "The clock shows sixty, so the bound is off by one and the test fails at line 14. ";

/** Writes a long session, `long`, and many short ones, as agents leave them that read files and call tools. */
export async function writeDatabase(
  db_url: string,
  { steps, sessions, simulations }: Sizes,
): Promise<void> {
  using copy = await openSqliteCopy(db_url);
  writeJob(copy, simulations);
  for (let session = 1; session <= sessions; session += 1)
    for (const step of [1, 2]) copy.addStep(stepOf(`session-${session}`, step, 2 * session + step));
  let history = JSON.stringify({ role: "system", content: words.repeat(20) });
  for (let step = 1; step <= steps; step += 1) {
    history += `,${JSON.stringify({ role: "user", content: `${step}: ${words.repeat(1 + (step % 12))}` })}`;
    copy.addStep({ ...stepOf("long", step, step), messages: `[${history}]` });
    // Agents compact their history like this; otherwise the bodies would keep growing.
    if (step % 400 === 0) history = JSON.stringify({ role: "system", content: `Summary ${step}.` });
  }
  copy.finish();
}

const errors = [
  "runtime_failed: This model's maximum context length is 8192 tokens. (reported by command agent)",
  "runtime_exited: TypeError: x is undefined (command agent exited with code 1)",
  "runtime_timeout: command agent: timed out after 600 s",
];

function writeJob(copy: SqliteCopy, simulations: number): void {
  for (let index = 0; index < simulations; index += 1) {
    const [group, member] = [Math.floor(index / 8), index % 8];
    const job = { job_id: "large", group_id: `task-${group}`, env_name: "maze" };
    const session_id = `large-${index}`;
    for (let step = 1; step <= 4; step += 1)
      copy.addStep({ ...stepOf(session_id, step, index + step), ...job });
    const error = index % 16 === 15 ? (errors[group % errors.length] ?? null) : null;
    const at = (second: number): string => new Date(begun + 1000 * second).toISOString();
    copy.addAttempt({
      ...{ ...job, session_id, simulation_id: `task-${group}.${member}`, attempt: 1, error },
      ...{ status: error === null ? "finished" : "failed", owner: null, heartbeat_at: null },
      ...{ env_params: JSON.stringify({ task: words.repeat(20) }), result: null },
      reward: error === null ? ((index * 7) % 5) / 4 : null,
      ...{ created_at: at(0), started_at: at(index), finished_at: at(index + 5 + member) },
    });
  }
}

function stepOf(session_id: string, step_id: number, second: number): CopiedStep {
  const isFailed = step_id % 97 === 0;
  const command = JSON.stringify({ command: `sed -n ${step_id},40p src/clock.ts` });
  const call = {
    id: `call-${step_id}`,
    type: "function",
    function: { name: "bash", arguments: command },
  };
  const message = { role: "assistant", content: words.repeat(step_id % 4), tool_calls: [call] };
  const created_at = new Date(begun + 1000 * second).toISOString();
  const meta = {
    ...{ endpoint: "chat_completions", outcome: isFailed ? "upstream_error" : "completed" },
    ...{ error: isFailed ? "It is overloaded." : null, finish_reason: "tool_calls" },
    ...{ prompt_tokens: 900 + step_id, completion_tokens: 40, cost_nano_usd: 1_250_000 },
    ...{ queue_ms: 3, ttft_ms: 110, upstream_ms: 640, started_at: created_at },
  };
  return {
    request_id: `${session_id}-${step_id}`,
    ...{ session_id, model: "policy", step_id, status_code: isFailed ? 502 : 200 },
    ...{ env_name: null, job_id: null, group_id: null, step_reward: null, reward: null },
    ...{
      is_trainable: false,
      is_terminal: false,
      is_truncated: false,
      is_session_completed: false,
    },
    ...{
      created_at,
      meta_json: JSON.stringify(meta),
      request: '{"model":"policy","messages":null}',
    },
    response: isFailed ? null : JSON.stringify({ choices: [{ index: 0, message }] }),
    messages: JSON.stringify([{ role: "user", content: `Task ${session_id}` }]),
  };
}
