import type { Sequence } from "./records/sequence.ts";

/**
 * The form for trainers that predict the next token: inputs without the last id, everything else without the
 * first.
 */
export interface ShiftedSequence {
  readonly input_ids: Int32Array;
  readonly target_ids: Int32Array;
  readonly loss_mask: Uint8Array;
  readonly logprobs: Float64Array | null;
}

export function shifted({ input_ids, loss_mask, logprobs }: Sequence): ShiftedSequence {
  return {
    input_ids: input_ids.subarray(0, -1),
    target_ids: input_ids.subarray(1),
    loss_mask: loss_mask.subarray(1),
    logprobs: logprobs?.subarray(1) ?? null,
  };
}

/**
 * The form for trainers that separate a prompt from a response: the response begins with the first trained
 * token.
 */
export interface PromptResponse {
  readonly prompt_ids: Int32Array;
  readonly response_ids: Int32Array;
  /** One per id of the response: 0 for tokens that the environment added between completions. */
  readonly response_mask: Uint8Array;
  readonly response_logprobs: Float64Array | null;
}

/** If nothing is trained on, everything is prompt. */
export function promptResponse({ input_ids, loss_mask, logprobs }: Sequence): PromptResponse {
  const first = loss_mask.indexOf(1);
  const start = first === -1 ? input_ids.length : first;
  return {
    prompt_ids: input_ids.subarray(0, start),
    response_ids: input_ids.subarray(start),
    response_mask: loss_mask.subarray(start),
    response_logprobs: logprobs?.subarray(start) ?? null,
  };
}
