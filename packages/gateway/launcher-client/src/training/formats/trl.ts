import { promptResponse, type Sequence } from "@proj/sequences";
import type { ExportFormat } from "./export-format.ts";
import {
  describedColumns,
  describeSequence,
  listOf,
  orNull,
  trainedSequences,
} from "./token-formats.ts";

/**
 * The return value of a rollout function for TRL's GRPO trainer, which must have one row for each prompt: of a rollout
 * that broke into several sequences it is the one with the most trained tokens, and the others are left out. Joined, they
 * would be trained on behind tokens that the model did not see.
 */
export const trlFormat: ExportFormat = {
  name: "trl",
  summary: "one row for each rollout: prompt_ids, completion_ids, logprobs, env_mask, reward",
  columns: [
    ...["prompt_ids", "completion_ids", "logprobs", "env_mask"],
    ...["rollout_sequences", "left_out_tokens", ...describedColumns],
  ],
  needsHistory: false,
  *lines(rollout) {
    const trained = trainedSequences(rollout);
    const [best, ...others] = trained.toSorted((one, other) => trainedIn(other) - trainedIn(one));
    if (best === undefined) return;
    const view = promptResponse(best);
    yield {
      prompt_ids: listOf(view.prompt_ids),
      completion_ids: listOf(view.response_ids),
      logprobs: orNull(view.response_logprobs),
      env_mask: listOf(view.response_mask),
      rollout_sequences: trained.length,
      left_out_tokens: others.reduce((sum, other) => sum + trainedIn(other), 0),
      ...describeSequence(best, rollout, 1),
    };
  },
};

const trainedIn = ({ loss_mask }: Sequence): number => loss_mask.reduce((sum, one) => sum + one, 0);
