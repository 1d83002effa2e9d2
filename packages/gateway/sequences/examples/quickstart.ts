import assert from "node:assert/strict";
import { promptResponse, type Step, sequences } from "@proj/sequences";

const call = (id: string, at: number, prompt_ids: number[], completion_ids: number[]): Step => ({
  id,
  model: "policy",
  started_at: at,
  ended_at: at + 1,
  status_code: 200,
  prompt_ids,
  completion_ids,
  logprobs: completion_ids.map(() => -0.1),
  versions: null,
  finish_reason: "stop",
  messages: null,
  answer: null,
  tools: null,
  response_id: null,
  previous_response_id: null,
  tool_call_ids: [],
  agent: null,
  request_kind: null,
  side_call: null,
  retry_of: null,
});

// The second call repeats the first one's prompt and answer; the third does not.
const { sequences: found, ledger } = sequences([
  call("policy/1", 0, [1, 2, 3], [10, 11]),
  call("policy/2", 2, [1, 2, 3, 10, 11, 4], [12]),
  call("policy/3", 4, [1, 2, 3, 98, 99, 4], [13]),
]);

assert.deepEqual(
  found.map(({ input_ids }) => [...input_ids]),
  [
    [1, 2, 3, 10, 11, 4, 12],
    [1, 2, 3, 98, 99, 4, 13],
  ],
);
const [first, second] = found;
assert(first !== undefined && second !== undefined);
assert.deepEqual([...first.loss_mask], [0, 0, 0, 1, 1, 0, 1]);
assert.equal(second.split.reason, "retokenized");
assert.equal(second.split.at_token, 3);
assert.deepEqual([...promptResponse(first).response_ids], [10, 11, 4, 12]);

assert.equal(ledger.captured, ledger.delivered + ledger.masked + ledger.dropped);
assert.deepEqual(ledger.breaks_by_reason, { first: 1, retokenized: 1 });
