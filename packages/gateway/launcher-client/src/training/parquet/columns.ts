import type { SchemaElement } from "hyparquet-writer";

/**
 * How a member of a line becomes a column. Lists hold numbers; `json` is the value's JSON text, with a string left
 * as it is.
 */
export type ColumnKind = "ids" | "logprobs" | "text" | "integer" | "number" | "flag" | "json";

/** Members that have the same name in every format; all others are `json`. */
const kinds: Readonly<Record<string, ColumnKind>> = {
  ...ofKind("ids", "input_ids", "loss_mask", "tokens", "prompt_ids", "prompt_token_ids"),
  ...ofKind("ids", "response_ids", "response_mask", "completion_ids", "env_mask", "loss_masks"),
  ...ofKind("logprobs", "logprobs", "response_logprobs", "rollout_logprobs", "rollout_log_probs"),
  ...ofKind("number", "reward", "rewards", "reward_score", "weight"),
  ...ofKind(
    "integer",
    "attempt",
    "num_turns",
    "rollout_lines",
    "rollout_sequences",
    "group_index",
    "index",
    "response_length",
  ),
  ...ofKind("integer", "left_out_tokens"),
  ...ofKind("flag", "is_terminal", "is_truncated", "is_last_step"),
  ...ofKind(
    "text",
    "session_id",
    "job_id",
    "simulation_id",
    "group_id",
    "group",
    "env_name",
    "status",
  ),
  ...ofKind("text", "side_call", "stop_reasons", "schema_version", "trajectory_id", "system"),
};

function ofKind(kind: ColumnKind, ...names: readonly string[]): Record<string, ColumnKind> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** The columns of a format's members. */
export const columnsOf = (names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, kinds[name] ?? "json"]));

/** A file's columns by name, in order. */
export type Columns = Readonly<Record<string, ColumnKind>>;

/** Every column is nullable. */
export function schemaOf(columns: Columns): SchemaElement[] {
  const named = Object.entries(columns);
  const elements = named.flatMap(([name, kind]) => elementsOf(name, kind));
  return [{ name: "rollout", num_children: named.length }, ...elements];
}

const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const physical = {
  text,
  json: text,
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  flag: { type: "BOOLEAN" },
} as const;

function elementsOf(name: string, kind: ColumnKind): SchemaElement[] {
  const repetition_type = "OPTIONAL";
  if (kind !== "ids" && kind !== "logprobs") return [{ name, repetition_type, ...physical[kind] }];
  const type = kind === "ids" ? "INT32" : "DOUBLE";
  return [
    { name, repetition_type, num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "REQUIRED", type },
  ];
}

/** A member's value in its column. */
export function cellOf(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === "json") return typeof value === "string" ? value : JSON.stringify(value);
  return kind === "integer" ? BigInt(Number(value)) : value;
}

/** Roughly the bytes of a cell before compression. */
export function sizeOf(cell: unknown): number {
  if (Array.isArray(cell)) return 8 * cell.length;
  return typeof cell === "string" ? cell.length : 8;
}
