/** The list's query parameter for each filter that can be typed. */
const names: Readonly<Record<string, string>> = {
  model: "model",
  status: "status",
  cause: "cause",
  code: "status_code",
  error: "error",
  tool: "tool",
  job: "job_id",
  group: "group_id",
  reward: "reward",
};

/** Reads what was typed: `name:value` (quotes around a value with spaces), bounds of the reward, and text. */
export function filtersOf(typed: string): Record<string, string> {
  const filters: Record<string, string> = {};
  const text: string[] = [];
  for (const [word] of typed.matchAll(/(?:[a-z]{1,8}:)?"[^"]*"|\S+/g)) {
    const reward = /^reward:?((?:<=|>=|<|>|=)?-?\d+(?:\.\d+)?)$/.exec(word)?.[1];
    const [, name = "", value = ""] = /^([a-z]+):(.+)$/.exec(word) ?? [];
    const parameter = names[name];
    if (reward !== undefined) filters.reward = reward;
    else if (parameter !== undefined && (name !== "code" || /^\d{3}$/.test(value)))
      filters[parameter] = unquoted(value);
    else text.push(unquoted(word));
  }
  if (text.length > 0) filters.text = text.join(" ");
  return filters;
}

/** A filter as it would be typed. */
export const filterText = (name: string, value: string): string =>
  `${name}:${/\s/.test(value) ? `"${value}"` : value}`;

const unquoted = (word: string): string => word.replace(/^"(.*)"$/s, "$1");
