import type { JobStore } from "@proj/session-store";
import { exportFormats, exportRollouts } from "../../src/index.ts";
import type { StoredJob, WrittenStep } from "../trajectories/stored-job.ts";

export const system = { role: "system", content: "be brief" };
export const question = { role: "user", content: "2 + 2?" };
export const call = {
  id: "c1",
  type: "function",
  function: { name: "add", arguments: '{"a":2,"b":2}' },
};
const calling = { role: "assistant", content: null, tool_calls: [call] };
const result = { role: "tool", tool_call_id: "c1", content: "4" };

export function answer(message: object, prompt_token_ids: number[], token_ids: number[]): string {
  const content = token_ids.map((id) => ({ token: "x", logprob: -id / 100 }));
  const choices = [{ message, token_ids, logprobs: { content }, finish_reason: "stop" }];
  return JSON.stringify({ id: "chatcmpl-1", choices, prompt_token_ids });
}

export const tools: readonly object[] = [{ type: "function", function: { name: "add" } }];
export const stepOf = (
  at: number,
  messages: object[],
  response: string,
  meta: object = {},
): Partial<WrittenStep> => ({
  messages: JSON.stringify(messages),
  request: JSON.stringify({ model: "policy", tools }),
  response,
  meta: {
    started_at: new Date(Date.now() + at).toISOString(),
    prompt_tokens: 3,
    completion_tokens: 2,
    finish_reason: "stop",
    ...meta,
  },
});

/** Two calls that extend each other, a side call for a title, and a reward. */
export async function rewardedJob(job: StoredJob): Promise<StoredJob> {
  const session_id = await job.claim("s1", "g1");
  const opening = [system, question];
  const agent = { request_kind: "title" };
  await job.step(session_id, stepOf(0, opening, answer(calling, [1, 2, 3], [10, 11])));
  await job.step(
    session_id,
    stepOf(
      0,
      [{ role: "user", content: "title?" }],
      answer({ role: "assistant", content: "Sums" }, [9], [8]),
      { agent },
    ),
  );
  const messages = [...opening, calling, result];
  const last = answer({ role: "assistant", content: "4" }, [1, 2, 3, 10, 11, 4], [12]);
  await job.step(session_id, stepOf(1000, messages, last));
  await job.finish(session_id, 0.5);
  return job;
}

/** The lines of a job's export, or of all jobs. */
export async function exported(
  { store, job_id }: { readonly store: JobStore; readonly job_id?: string },
  name: string,
): Promise<Record<string, unknown>[]> {
  const format = exportFormats.find((one) => one.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  let text = "";
  for await (const piece of exportRollouts(store, { format, job_id })) text += piece;
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
