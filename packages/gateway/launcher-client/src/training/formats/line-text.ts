import { isJsonObject, type JsonObject } from "@proj/model-apis/json";

/** Numbers that trainers compute with. */
const floats: ReadonlySet<string> = new Set(["reward", "rewards", "reward_score", "weight"]);
/** Members that hold those of a rollout. */
const holders: ReadonlySet<string> = new Set(["extra_fields", "metadata", "extra"]);

/**
 * A line as JSON. Rewards and weights always have a decimal point: of a list of whole numbers, Python makes a tensor of
 * integers, which has no mean.
 */
export function lineText(line: JsonObject): string {
  const members = Object.entries(line)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${valueText(name, value)}`);
  return `{${members.join(",")}}`;
}

function valueText(name: string, value: unknown): string {
  if (holders.has(name) && isJsonObject(value)) return lineText(value);
  const text = JSON.stringify(value);
  return floats.has(name) && /^-?\d+$/.test(text) ? `${text}.0` : text;
}
