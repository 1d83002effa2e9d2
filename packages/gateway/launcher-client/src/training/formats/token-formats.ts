import type { JsonObject } from "@proj/model-apis/json";
import { promptResponse, type Sequence, shifted } from "@proj/sequences";
import { describeRollout, type Rollout, rolloutColumns } from "../rollout.ts";
import type { ExportFormat, ExportPlace } from "./export-format.ts";

/** The members of `describeSequence`. */
export const describedColumns: readonly string[] = [
  ...rolloutColumns,
  ...["agent", "side_call", "split", "parent", "versions", "is_terminal", "is_truncated"],
];

interface SequencePlace extends ExportPlace {
  /** No other sequence of its rollout follows. */
  readonly isLast: boolean;
  /** How many sequences of its rollout are trained on. */
  readonly lines: number;
}

/**
 * One line per sequence of a rollout. A sequence of which nothing is trained on is left out: it would be a prompt
 * without a response, which trainers refuse.
 */
const ofSequences = (
  name: string,
  summary: string,
  columns: readonly string[],
  line: (sequence: Sequence, rollout: Rollout, place: SequencePlace) => JsonObject,
): ExportFormat => ({
  name,
  summary,
  columns,
  needsHistory: false,
  lines: (rollout, place) => {
    const trained = trainedSequences(rollout);
    const last = trained.at(-1);
    const lines = trained.length;
    return trained.map((sequence) =>
      line(sequence, rollout, { ...place, isLast: sequence === last, lines }),
    );
  },
});

export const trainedSequences = ({ sequences }: Rollout): readonly Sequence[] =>
  sequences.filter(({ loss_mask }) => loss_mask.includes(1));

export const listOf = (numbers: ArrayLike<number>): number[] => Array.from(numbers);
export const orNull = (numbers: ArrayLike<number> | null): number[] | null =>
  numbers === null ? null : listOf(numbers);

/** Everything that is known about a sequence, under our own names. */
export const sequencesFormat: ExportFormat = {
  name: "sequences",
  summary: "token ids, loss mask, logprobs, weight versions, spans, and why each sequence begins",
  columns: [
    ...rolloutColumns,
    ...["input_ids", "loss_mask", "logprobs", "versions", "spans", "trims", "agent", "side_call"],
    ...["split", "parent", "is_terminal", "is_truncated"],
  ],
  needsHistory: false,
  lines: (rollout) =>
    rollout.sequences.map((sequence) => ({
      ...describeRollout(rollout, rollout.sequences.length),
      ...sequence,
      input_ids: listOf(sequence.input_ids),
      loss_mask: listOf(sequence.loss_mask),
      logprobs: orNull(sequence.logprobs),
    })),
};

/** The return value of verl's agent loop (AgentLoopOutput). */
export const verlFormat: ExportFormat = ofSequences(
  "verl",
  "prompt_ids, response_ids, response_mask, response_logprobs, reward_score",
  [
    ...["prompt_ids", "response_ids", "response_mask", "response_logprobs", "reward_score"],
    ...["num_turns", "metrics", "extra_fields"],
  ],
  (sequence, rollout, { lines }) => {
    const view = promptResponse(sequence);
    return {
      prompt_ids: listOf(view.prompt_ids),
      response_ids: listOf(view.response_ids),
      response_mask: listOf(view.response_mask),
      response_logprobs: orNull(view.response_logprobs),
      reward_score: rollout.environment.reward,
      // verl counts the environment's turns too.
      num_turns: sequence.spans.length,
      metrics: {},
      extra_fields: describeSequence(sequence, rollout, lines),
    };
  },
);

/**
 * The columns of SkyRL's GeneratorOutput, one sequence per line. SkyRL calls a rollout of several sequences a
 * trajectory of several steps: they share an id, are adjacent, and the last one is marked.
 */
export const skyrlFormat: ExportFormat = ofSequences(
  "skyrl",
  "prompt_token_ids, response_ids, loss_masks, rewards, rollout_logprobs, trajectory_ids",
  [
    ...["prompt_token_ids", "response_ids", "rewards", "loss_masks", "stop_reasons"],
    ...["rollout_logprobs", "trajectory_ids", "is_last_step", ...describedColumns],
  ],
  (sequence, rollout, { repetition, isLast, lines }) => {
    const view = promptResponse(sequence);
    const { job_id, simulation_id, group_id, reward } = rollout.environment;
    const instance_id = `${job_id}/${group_id ?? simulation_id}`;
    return {
      prompt_token_ids: listOf(view.prompt_ids),
      response_ids: listOf(view.response_ids),
      rewards: reward,
      loss_masks: listOf(view.response_mask),
      stop_reasons: sequence.is_truncated ? "length" : "stop",
      rollout_logprobs: orNull(view.response_logprobs),
      trajectory_ids: { instance_id, repetition_id: repetition },
      is_last_step: isLast,
      ...describeSequence(sequence, rollout, lines),
    };
  },
);

/** The input of slime's Sample.from_dict. */
export const slimeFormat: ExportFormat = ofSequences(
  "slime",
  "tokens, response_length, loss_mask, rollout_log_probs, reward, rollout_id, status",
  [
    ...["group_index", "index", "rollout_id", "tokens", "response_length", "reward", "loss_mask"],
    ...["weight_versions", "rollout_log_probs", "status", "session_id", "metadata"],
  ],
  (sequence, rollout, { rollout: rollout_id, group, lines }) => {
    const view = promptResponse(sequence);
    return {
      group_index: group,
      index: rollout_id,
      rollout_id,
      tokens: listOf(sequence.input_ids),
      response_length: view.response_ids.length,
      reward: rollout.environment.reward,
      loss_mask: listOf(view.response_mask),
      weight_versions: [...new Set(sequence.versions.map(({ version }) => version))],
      rollout_log_probs: orNull(view.response_logprobs),
      status: slimeStatus(sequence, rollout),
      session_id: rollout.environment.session_id,
      metadata: describeSequence(sequence, rollout, lines),
    };
  },
);

function slimeStatus({ is_truncated }: Sequence, { environment }: Rollout): string {
  if (environment.status !== "finished") return "failed";
  return is_truncated ? "truncated" : "completed";
}

/** A Datum of Tinker, its targets shifted. Advantages are the trainer's, and are not in it. */
export const tinkerFormat: ExportFormat = ofSequences(
  "tinker",
  "a datum (model_input, target_tokens, logprobs, mask) and its reward",
  ["datum", ...describedColumns],
  (sequence, rollout, { lines }) => {
    const view = shifted(sequence);
    const tensor = (numbers: ArrayLike<number>, dtype: "int64" | "float32"): JsonObject => ({
      data: listOf(numbers),
      dtype,
      shape: [numbers.length],
    });
    const { logprobs } = view;
    return {
      datum: {
        model_input: { chunks: [{ type: "encoded_text", tokens: listOf(view.input_ids) }] },
        loss_fn_inputs: {
          target_tokens: tensor(view.target_ids, "int64"),
          mask: tensor(view.loss_mask, "float32"),
          ...(logprobs === null ? {} : { logprobs: tensor(logprobs, "float32") }),
        },
      },
      reward: rollout.environment.reward,
      ...describeSequence(sequence, rollout, lines),
    };
  },
);

/** Everything but the tokens: which rollout the sequence belongs to, and why it begins where it does. */
export function describeSequence(sequence: Sequence, rollout: Rollout, lines: number): JsonObject {
  const { agent, side_call, split, parent, versions, is_terminal, is_truncated } = sequence;
  const about = { agent, side_call, split, parent, versions, is_terminal, is_truncated };
  return { ...describeRollout(rollout, lines), ...about };
}
