import type { JsonObject } from "@proj/model-apis/json";
import type { Rollout } from "../rollout.ts";

/** A rollout's place in an export. Some trainers identify groups and rollouts only by numbers. */
export interface ExportPlace {
  readonly rollout: number;
  /** Rollouts of a job with the same `group_id` share it; where there is none, those of the same simulation. */
  readonly group: number;
  /** How many rollouts of its group came before it. */
  readonly repetition: number;
}

/** One format for rollouts: one JSON object per line. */
export interface ExportFormat {
  readonly name: string;
  /** One line, for `--help`. */
  readonly summary: string;
  /** The members that a line may have, in the order of a Parquet file's columns. */
  readonly columns: readonly string[];
  /** Whether it leaves out rollouts whose histories are known only in part. */
  readonly needsHistory: boolean;
  lines(rollout: Rollout, place: ExportPlace): Iterable<JsonObject>;
}
