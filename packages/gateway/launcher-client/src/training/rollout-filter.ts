import type { EnvironmentRow } from "@proj/session-store";

/** Whether an attempt is exported. */
export type RolloutFilter = (environment: EnvironmentRow) => boolean;

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
  "=": (value, bound) => value === bound,
};
const names = ["env_name", "group_id", "simulation_id", "session_id", "status"] as const;
const form = /^(\w+)(<=|>=|<|>|=)(.*)$/s;

/** The forms that `parseRolloutFilter` reads, for messages and help. */
export const rolloutFilterForms: string = `${names.join("=, ")}= or reward<, <=, >, >=, =`;

/** Parses `env_name=maze` or `reward<1`; null: the text has neither form. */
export function parseRolloutFilter(text: string): RolloutFilter | null {
  const [, name = "", sign = "", value = ""] = form.exec(text) ?? [];
  if (name === "reward") {
    const compare = comparisons[sign];
    const bound = value.trim() === "" ? Number.NaN : Number(value);
    if (compare === undefined || !Number.isFinite(bound)) return null;
    return ({ reward }) => reward !== null && compare(reward, bound);
  }
  const column = names.find((known) => known === name);
  if (column === undefined || sign !== "=") return null;
  return (environment) => environment[column] === value;
}
