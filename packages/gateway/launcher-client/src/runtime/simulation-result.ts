import type { SimulationResult } from "@proj/gateway-protocol";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import { type Answer, show } from "../answer/answer.ts";
import { AnswerFailure } from "../answer/answer-failure.ts";

/** The `status` of a simulation that went well, in upper or lower case. Any other is a failure. */
export const successStatuses: readonly string[] = [
  "completed",
  "finished",
  "succeeded",
  "success",
  "ok",
  "done",
];

export const hasSucceeded = ({ status }: SimulationResult): boolean =>
  successStatuses.includes(status.toLowerCase());

interface MemberType<T> {
  readonly name: string;
  holds(value: unknown): value is T;
}

const text: MemberType<string> = {
  name: "a string",
  holds: (value) => typeof value === "string",
};
const truth: MemberType<boolean> = {
  name: "true or false",
  holds: (value) => typeof value === "boolean",
};
const number: MemberType<number> = {
  name: "a number",
  holds: (value) => typeof value === "number",
};
const count: MemberType<number> = {
  name: "a count",
  holds: (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
};
const object: MemberType<JsonObject> = { name: "an object", holds: isJsonObject };

/**
 * Reads a runtime's result. Only `status` is required; a member that is absent or null has a default: no reward, no
 * steps, terminated unless truncated, no error, no metrics. Unknown members are ignored.
 * @throws AnswerFailure a member has a wrong type, or it is another session's result
 */
export function readResult({ value, last_output }: Answer, session_id: string): SimulationResult {
  const fail = (message: string): AnswerFailure =>
    new AnswerFailure("bad_result", message, last_output);
  if (!isJsonObject(value)) {
    throw fail(`answered ${show(value)} instead of an object with a "status"`);
  }
  const member = <T>(name: keyof SimulationResult, type: MemberType<T>): T | null => {
    const found = value[name] ?? null;
    if (found === null || type.holds(found)) return found;
    throw fail(`answered a result whose "${name}" is ${show(found)} instead of ${type.name}`);
  };
  const status = member("status", text);
  if (status === null) throw fail(`answered a result without a "status": ${show(value)}`);
  const named = member("session_id", text);
  if (named !== null && named !== session_id) {
    throw fail(`answered a result whose "session_id" is ${show(named)} instead of "${session_id}"`);
  }
  const truncated = member("truncated", truth) ?? false;
  return {
    session_id,
    status,
    total_reward: member("total_reward", number),
    step_count: member("step_count", count) ?? 0,
    terminated: member("terminated", truth) ?? !truncated,
    truncated,
    truncated_by: truncated ? "agent" : null,
    error_text: member("error_text", text),
    metrics: member("metrics", object) ?? {},
  };
}
