import { expect, test } from "vitest";
import { EnginePrompts, RecordedStep, type StoredCall } from "../../src/recorded/index.ts";
import { sequences } from "../../src/sequences.ts";

interface Answered {
  readonly response: object | null;
  readonly request?: object;
  readonly meta?: object;
}

const row = ({ response, request = {}, meta = {} }: Answered, step_id = 1): StoredCall => ({
  ...{ id: step_id, model: "policy", step_id, status_code: 200, is_terminal: false },
  created_at: "2026-05-01T12:00:00.000Z",
  meta_json: JSON.stringify(meta),
  request: JSON.stringify(request),
  response: response === null ? null : JSON.stringify(response),
  messages: "[]",
});

const choice = (more: object = {}): object => ({
  message: { role: "assistant", content: "4" },
  ...more,
});
const engine = (more: object): object => ({
  choices: [choice()],
  engine: { prompt: { continues: null, ids: [1, 2] }, token_ids: [3], ...more },
});
const moved = { provider_specific_fields: { token_ids: [3, 4] } };
const asks = { asks_token_ids: true };

test.each<[string, string | null, Answered]>([
  ["Responses have no place for them", "api", { response: { output: [] } }],
  ["Messages have no place for them", "api", { response: { role: "assistant", content: [] } }],
  ["nothing asked for them", "flag", { response: { choices: [choice()] } }],
  ["the route asked in vain", "engine", { response: { choices: [choice()] }, meta: asks }],
  [
    "the agent asked in vain",
    "engine",
    { response: { choices: [choice()] }, request: { return_token_ids: true } },
  ],
  [
    "the completion's are there without the prompt's",
    "engine",
    { response: { choices: [choice({ token_ids: [3] })] } },
  ],
  [
    "LiteLLM's stream lost the prompt's",
    "proxy",
    { response: { choices: [{ message: { role: "assistant", ...moved } }] }, meta: asks },
  ],
  [
    "LiteLLM lost all",
    "proxy",
    { response: { choices: [choice({ provider_specific_fields: {} })] } },
  ],
  ["the answer was not recorded", "not_captured", { response: null }],
  ["the engine used other ids", "prompt_mismatch", { response: engine({ prompt_mismatch: true }) }],
  [
    "the step that the prompt continues is not there",
    "earlier_step_missing",
    { response: engine({ prompt: { continues: "gone", ids: [9] } }) },
  ],
  ["nothing is missing", null, { response: engine({}) }],
  [
    "LiteLLM moved them, and lost none",
    null,
    { response: { prompt_token_ids: [1, 2], choices: [choice(moved)] } },
  ],
])("%s: %s", (_why, cause, answered) => {
  const step = new RecordedStep(row(answered));
  expect(step.ids_missing).toBe(cause);
  const [entry] = sequences([step]).ledger.steps;
  expect(entry?.reason === "no_token_ids" ? entry.by : null).toBe(cause);
});

test("a step keeps its ids if the engine used them, whatever was wrong with the step before", () => {
  const prompts = new EnginePrompts();
  const first = row({ response: engine({ prompt_mismatch: true }), meta: { request_id: "r1" } });
  const next = engine({ prompt: { continues: "r1", ids: [9] }, token_ids: [4] });
  const steps = [first, row({ response: next, meta: { request_id: "r2" } }, 2)].map(
    (stored) => new RecordedStep(stored, prompts),
  );
  expect(steps.map(({ ids_missing }) => ids_missing)).toEqual(["prompt_mismatch", null]);
  expect(Array.from(steps[1]?.prompt_ids ?? [])).toEqual([1, 2, 3, 9]);
});

test("of an answer with several choices each is a step, counted once, wherever its ids are", () => {
  const said = (content: string, more: object): object => ({
    message: { role: "assistant", content },
    ...more,
  });
  const logprobs = (...values: number[]): object => ({
    logprobs: { content: values.map((logprob) => ({ token: "x", logprob })) },
  });
  const answered = {
    response: {
      prompt_token_ids: [1, 2],
      choices: [
        said("a", { token_ids: [3, 4], ...logprobs(-0.5, -0.25) }),
        said("b", { provider_specific_fields: { token_ids: [5] }, ...logprobs(-1) }),
        {
          message: {
            role: "assistant",
            content: "c",
            provider_specific_fields: { token_ids: [6] },
          },
        },
        said("d", {}),
      ],
    },
    meta: { ...asks, completion_tokens: 7 },
  };
  const steps = RecordedStep.allOf(row(answered));
  expect(steps.map(({ id, sampled_tokens }) => [id, sampled_tokens])).toEqual([
    ["policy/1", 2],
    ["policy/1#2", 1],
    ["policy/1#3", 1],
    ["policy/1#4", 3],
  ]);
  expect(steps.map(({ answer }) => answer)).toMatchObject([
    [{ content: "a" }],
    [{ content: "b" }],
    [{ content: "c" }],
    [{ content: "d" }],
  ]);
  const { sequences: found, ledger } = sequences(steps);
  expect(found.map(({ input_ids }) => [...input_ids])).toEqual([
    [1, 2, 3, 4],
    [1, 2, 5],
    [1, 2, 6],
  ]);
  expect(ledger).toMatchObject({ captured: 7, delivered: 4, dropped: 3, unknown_steps: 0 });
});
