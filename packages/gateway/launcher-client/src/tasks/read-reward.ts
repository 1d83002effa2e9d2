import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";

/** By name; a single number has the name `reward`. */
export type Rewards = Readonly<Record<string, number>>;

const maxBytes = 1024 * 1024;
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The rewards that a verifier has written into its folder: `reward.json`, or else `reward.txt`.
 * @throws Error there are none, and why
 */
export async function readRewards(folder: string): Promise<Rewards> {
  const json = await readOwn(join(folder, "reward.json"));
  if (json !== null) return rewardsIn(json);
  const text = await readOwn(join(folder, "reward.txt"));
  if (text === null) throw new Error("it wrote neither reward.txt nor reward.json");
  const reward = Number(text);
  if (!number.test(text.trim()) || !Number.isFinite(reward))
    throw new Error(`reward.txt must hold a finite number, not '${text.slice(0, 60)}'`);
  return { reward };
}

/** The one number of several rewards. @throws Error it cannot be told which */
export function scoreOf(rewards: Rewards): number {
  const all = Object.values(rewards);
  const score = rewards.reward ?? (all.length === 1 ? all[0] : undefined);
  if (score !== undefined) return score;
  throw new Error(`reward.json must have 'reward' among ${Object.keys(rewards).join(", ")}`);
}

function rewardsIn(text: string): Rewards {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("reward.json is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("reward.json must hold an object");
  const rewards = Object.entries(value).map(([name, given]) => {
    const reward = typeof given === "boolean" ? Number(given) : given;
    if (typeof reward !== "number" || !Number.isFinite(reward))
      throw new Error(`reward.json: '${name}' must be a finite number`);
    return [name, reward] as const;
  });
  return Object.fromEntries(rewards);
}

/** Null: there is none. @throws Error it is a link, a pipe or too large */
async function readOwn(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile() || found.size > maxBytes)
    throw new Error("a reward must be in a file of its own, of 1 MiB at most");
  if (found.size === 0) throw new Error("the file of its reward is empty");
  return readFile(path, "utf8");
}
