import type { LossReason } from "./records/ledger.ts";
import type { Step } from "./records/step.ts";
import { CallTokens } from "./tokens/call-tokens.ts";

/** The tokens of a step that can be trained on, or the reason why there are none. */
export function admit(step: Step, vocabulary_size: number): CallTokens | LossReason {
  const { prompt_ids, completion_ids, logprobs } = step;
  if (step.status_code !== 200) return "aborted";
  if (step.is_capture_truncated === true) return "truncated_capture";
  if (prompt_ids === null || completion_ids === null || prompt_ids.length === 0) {
    return "no_token_ids";
  }
  if (completion_ids.length === 0) return "empty_completion";
  if (!areIds(prompt_ids, vocabulary_size) || !areIds(completion_ids, vocabulary_size)) {
    return "out_of_vocabulary";
  }
  if (logprobs !== null && !areLogprobs(logprobs, completion_ids.length)) {
    return "logprobs_misaligned";
  }
  return new CallTokens(prompt_ids, completion_ids);
}

function areIds(ids: ArrayLike<number>, vocabulary_size: number): boolean {
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at];
    if (id === undefined || !Number.isInteger(id) || id < 0 || id >= vocabulary_size) return false;
  }
  return true;
}

function areLogprobs(logprobs: ArrayLike<number>, length: number): boolean {
  if (logprobs.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (!Number.isFinite(logprobs[at])) return false;
  return true;
}
