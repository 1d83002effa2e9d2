import { causeOfFailure } from "@proj/gateway-protocol/failure-causes";
import type { Simulation } from "@proj/session-store/answers";
import { filtersOf } from "../list/filters.ts";

export const isFailure = ({ status }: Simulation): boolean =>
  status === "failed" || status === "infrastructure";

/** Null: it did not fail. */
export const causeOf = (attempt: Simulation): string | null =>
  isFailure(attempt) ? causeOfFailure(attempt.status, attempt.error) : null;

/** The part of an error before its first colon. */
export const codeOf = ({ error }: Simulation): string => (error ?? "unknown").split(":")[0] ?? "";

/** Whether an attempt has what was typed, in the words of the list of sessions. */
export function simulationFilter(typed: string): (attempt: Simulation) => boolean {
  const { status, cause, group_id, reward, error, text, ...unknown } = filtersOf(typed);
  const words = [text, ...Object.values(unknown)].join(" ").trim().toLowerCase();
  const bound = reward === undefined ? null : boundOf(reward);
  return (attempt) =>
    (status === undefined || attempt.status === status) &&
    (group_id === undefined || attempt.group_id === group_id) &&
    (cause === undefined ||
      (isFailure(attempt) && (causeOf(attempt) === cause || codeOf(attempt) === cause))) &&
    (bound === null || (attempt.reward !== null && bound(attempt.reward))) &&
    (error === undefined || (isFailure(attempt) && (error === "*" || has(attempt.error, error)))) &&
    (words === "" ||
      [attempt.simulation_id, attempt.session_id, attempt.group_id, attempt.error].some((said) =>
        has(said, words),
      ));
}

const has = (text: string | null, word: string): boolean =>
  text?.toLowerCase().includes(word.toLowerCase()) === true;

function boundOf(text: string): (reward: number) => boolean {
  const [, operator = "=", value = ""] = /^(<=|>=|<|>|=)?(.*)$/.exec(text) ?? [];
  const bound = Number(value);
  switch (operator) {
    case "<":
      return (reward) => reward < bound;
    case "<=":
      return (reward) => reward <= bound;
    case ">":
      return (reward) => reward > bound;
    case ">=":
      return (reward) => reward >= bound;
    default:
      return (reward) => reward === bound;
  }
}
