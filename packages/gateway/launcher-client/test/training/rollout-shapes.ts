import type { WrittenStep } from "../trajectories/stored-job.ts";

/** A call of a shape, by its tokens. */
interface Call {
  readonly prompt: readonly number[] | null;
  /** One list for each choice. */
  readonly said: readonly (readonly number[] | null)[];
  readonly status_code?: number;
  readonly model?: string;
  readonly step_id?: number;
  /** How many log probabilities more than ids there are; null: none at all. */
  readonly logprobs?: number | null;
  readonly meta?: object;
}

const call = (prompt: Call["prompt"], ...said: (readonly number[])[]): Call => ({ prompt, said });
const p = [1, 2, 3];
const q = [1, 2, 4];

/** What agents and engines do, as the calls of one session each. */
export const rolloutShapes: Readonly<Record<string, readonly Call[]>> = {
  "one call": [call(p, [10, 11])],
  linear: [call(p, [10]), call([...p, 10, 20], [11]), call([...p, 10, 20, 11, 21], [12, 13])],
  "a stop token left out": [
    call(p, [10, 9]),
    call([...p, 10, 20], [11, 9]),
    call([...p, 10, 20, 11], [12]),
  ],
  "two tokens left out": [call(p, [10, 8, 9]), call([...p, 10, 20], [11])],
  forked: [call(p, [10]), call([...p, 10, 20], [11]), call([...p, 10, 21], [12])],
  "forked twice": [
    call(p, [10]),
    call([...p, 10, 20], [11]),
    call([...p, 10, 20, 11, 30], [12]),
    call([...p, 10, 20, 11, 31], [13]),
    call([...p, 10, 21], [14]),
  ],
  "forked behind a trim": [
    call(p, [10, 9]),
    call([...p, 10, 20], [11]),
    call([...p, 10, 9, 21], [12]),
  ],
  compacted: [
    call(p, [10]),
    call([...p, 10, 20], [11]),
    call([5, 6], [12]),
    call([5, 6, 12, 7], [13]),
  ],
  interleaved: [
    call(p, [10]),
    call(q, [11]),
    call([...p, 10, 20], [12]),
    call([...q, 11, 21], [13]),
  ],
  "a subagent with the same prompt": [
    call(p, [10]),
    { ...call([...p, 10, 20], [11]), meta: { agent: { id: "sub" } } },
    call([...p, 10, 20], [12]),
  ],
  "retried after 500": [
    { ...call(p), status_code: 500 },
    { ...call(p, [10]), meta: { retry_of: 1 } },
  ],
  "retried although whole": [call(p, [10]), { ...call(p, [11]), meta: { retry_of: 1 } }],
  "retried twice": [
    call(p, [10]),
    { ...call(p, [11]), meta: { retry_of: 1 } },
    { ...call(p, [12]), meta: { retry_of: 2 } },
  ],
  "the retried one goes on": [
    call(p, [10]),
    { ...call(p, [11]), meta: { retry_of: 1 } },
    call([...p, 10, 20], [12]),
  ],
  "left by its caller": [call(p, [10]), { ...call([...p, 10, 20], [11]), status_code: 499 }],
  repeated: [call(p, [10]), call(p, [11]), call(p, [12])],
  "the same answer twice": [call(p, [10]), call(p, [10])],
  "the best goes on": [call(p, [10]), call(p, [11]), call([...p, 11, 20], [12])],
  drifted: [call(p, [10, 11]), call([...p, 12, 20], [13])],
  "drifted later": [
    call(p, [10]),
    call([...p, 10, 20], [11, 12]),
    call([...p, 10, 20, 14, 21], [13]),
  ],
  "several choices": [call(p, [10], [11, 12], [13])],
  "a choice goes on": [call(p, [10], [11]), call([...p, 11, 20], [12])],
  "a title": [call(p, [10]), { ...call([7], [8, 8]), meta: { agent: { request_kind: "title" } } }],
  "a side call by rule": [{ ...call([7], [8]), meta: { side_call: "title" } }, call(p, [10])],
  "another model": [call(p, [10, 11]), { ...call([7], [8]), model: "judge" }],
  "no log probabilities": [
    { ...call(p, [10]), logprobs: null },
    { ...call([...p, 10], [11]), logprobs: null },
  ],
  "log probabilities of one step": [
    call(p, [10]),
    { ...call([...p, 10, 20], [11]), logprobs: null },
  ],
  "too many log probabilities": [{ ...call(p, [10]), logprobs: 1 }, call([...p, 10, 20], [11])],
  "an empty answer": [call(p, []), call(p, [10])],
  "no ids": [{ prompt: null, said: [null], meta: { completion_tokens: 7 } }, call(p, [10])],
  "nobody counted": [{ prompt: null, said: [null] }, call(p, [10])],
  "cut in the record": [{ ...call(p, [10]), meta: { truncated: true } }, call([...p, 10], [11])],
  replayed: [
    { ...call(p, [10]), meta: { replayed_from: { session_id: "other", step_id: 1 } } },
    call([...p, 10, 20], [11]),
  ],
  "ends in another order": [
    { ...call([...p, 10, 20], [11]), step_id: 2 },
    { ...call(p, [10]), step_id: 1 },
    { ...call([...p, 10, 20, 11], [12]), step_id: 3 },
  ],
};

let seconds = 0;

/** The row of a call. */
export function rowOf({
  prompt,
  said,
  status_code = 200,
  model,
  step_id,
  logprobs = 0,
  meta,
}: Call): Partial<WrittenStep> {
  seconds += 1;
  const choices = said.map((token_ids) => ({
    message: { role: "assistant", content: String(token_ids) },
    ...(token_ids === null
      ? {}
      : {
          token_ids,
          ...(logprobs === null
            ? {}
            : {
                logprobs: {
                  content: [...token_ids, ...Array(logprobs).fill(0)].map((id) => ({
                    token: "x",
                    logprob: -id / 128,
                  })),
                },
              }),
        }),
  }));
  return {
    status_code,
    ...(model === undefined ? {} : { model }),
    ...(step_id === undefined ? {} : { step_id }),
    messages: JSON.stringify([{ role: "user", content: String(prompt) }]),
    request: "{}",
    response: status_code === 200 ? JSON.stringify({ prompt_token_ids: prompt, choices }) : null,
    meta: { started_at: new Date(1.8e12 + seconds * 1000).toISOString(), ...meta },
  };
}
