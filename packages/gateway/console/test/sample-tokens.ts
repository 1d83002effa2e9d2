import type { Turn } from "./sample-store.ts";

/** A turn as vLLM answers it when it is asked for token ids. */
function sampled(
  content: string,
  prompt_token_ids: readonly number[],
  token_ids: readonly number[],
): Turn {
  const message = { role: "assistant", content };
  const logprobs = { content: token_ids.map((_, index) => ({ logprob: -0.25 * (index + 1) })) };
  const response = { prompt_token_ids, choices: [{ index: 0, message, token_ids, logprobs }] };
  return {
    added: [{ role: "user", content: "Go on." }],
    answer: message,
    meta: { weight_version: "step-42" },
    changes: { response: new TextEncoder().encode(JSON.stringify(response)) },
  };
}

/** Two sequences: the third step does not repeat the ids of the first two. */
export function sampledTurns(): Turn[] {
  const long = Array.from({ length: 300 }, (_, id) => id);
  return [
    sampled("One.", [1, 2, 3], [10, 11]),
    sampled("Two.", [1, 2, 3, 10, 11, 4], [12]),
    sampled("Three.", [1, 2, 3, 98, 99, 4], long),
  ];
}
