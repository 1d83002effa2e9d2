import { closestNames } from "@proj/gateway-protocol";
import type { NewSimulation } from "@proj/session-store";
import type { Entry } from "./read-simulations.ts";

const keys = ["simulation_id", "env_name", "env_params", "group_id", "repeat"] as const;

const maxName = 200;
const maxRepetitions = 100_000;
const maxSimulations = 1_000_000;

/**
 * The simulations of each entry. Without a `simulation_id`, the id is the entry's position, `sim-000001` for the
 * first. With `repeat`, an entry is the simulations `<id>.1`, `<id>.2` and so on; their group is its id unless it
 * names another.
 */
export function toSimulations(entries: readonly Entry[]): {
  readonly simulations: readonly NewSimulation[];
  readonly problems: readonly string[];
} {
  const simulations: NewSimulation[] = [];
  const problems: string[] = [];
  const places = new Map<string, string>();
  for (const [index, { where, value }] of entries.entries()) {
    const refuse = (problem: string): void => {
      problems.push(`${where}: ${problem}`);
    };
    if (!isObject(value)) {
      refuse("not an object");
      continue;
    }
    for (const key of Object.keys(value)) checkKey(key, refuse);
    const name = (key: "simulation_id" | "env_name" | "group_id"): string | null =>
      nameOf(key, value[key], refuse);
    const id = name("simulation_id") ?? `sim-${String(index + 1).padStart(6, "0")}`;
    const env_name = name("env_name");
    const params = value.env_params ?? null;
    const env_params = params === null ? null : JSON.stringify(params);
    const repeat = repeatOf(value.repeat, refuse);
    const group_id = name("group_id") ?? (repeat > 1 ? id : null);
    for (let round = 1; round <= repeat && simulations.length < maxSimulations; round += 1) {
      const simulation_id = repeat === 1 ? id : `${id}.${round}`;
      const other = places.get(simulation_id);
      if (other !== undefined) refuse(`simulation_id '${simulation_id}' is also used by ${other}`);
      places.set(simulation_id, where);
      simulations.push({ simulation_id, env_name, env_params, group_id });
    }
  }
  if (simulations.length === maxSimulations) {
    problems.push(`a job must have fewer than ${maxSimulations} simulations`);
  }
  return { simulations, problems };
}

type Refuse = (problem: string) => void;

function checkKey(key: string, refuse: Refuse): void {
  if (keys.some((known) => known === key)) return;
  const [meant] = closestNames(key, keys, 1);
  refuse(`unknown key '${key}'${meant === undefined ? "" : `; did you mean '${meant}'?`}`);
}

function nameOf(key: string, value: unknown, refuse: Refuse): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && value.length <= maxName && /^\P{Cc}+$/u.test(value)) {
    return value;
  }
  refuse(`${key} must be a string of 1 to ${maxName} characters, not ${show(value)}`);
  return null;
}

function repeatOf(value: unknown, refuse: Refuse): number {
  if (value === undefined || value === null) return 1;
  if (Number.isSafeInteger(value)) {
    const count = Number(value);
    if (count >= 1 && count <= maxRepetitions) return count;
  }
  refuse(`repeat must be a whole number from 1 to ${maxRepetitions}, not ${show(value)}`);
  return 1;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const show = (value: unknown): string => JSON.stringify(value).slice(0, 60);
