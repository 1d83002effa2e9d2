import { isJsonObject, memberOf, objectOf } from "@proj/model-apis/conversation";
import type { CopiedStep } from "@proj/session-store";

/** What a line of an export contains: a step and, if the line names it, its attempt. */
export interface ExportedLine {
  readonly step: CopiedStep;
  readonly attempt: ExportedAttempt | null;
}

export interface ExportedAttempt {
  readonly job_id: string;
  readonly simulation_id: string;
  readonly reward: number | null;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a line of `launcher export`, or of a session that the console exported. JSON within it stays as it was
 * stored, to the last digit.
 * @param storedAt the time of steps that do not have one
 * @throws SyntaxError it is not a step
 */
export function readExportedLine(line: string, storedAt: string): ExportedLine {
  const members: unknown = JSON.parse(line);
  if (!isJsonObject(members)) throw new SyntaxError("it is not a JSON object");
  const session_id = textOf(members, "session_id");
  const model = textOf(members, "model");
  const { step_id } = members;
  if (session_id === null || model === null || !Number.isSafeInteger(step_id))
    throw new SyntaxError("it is not a step: session_id, model or step_id is missing");
  const response = payloadOf(line, members, "response");
  const meta = textOf(members, "meta_json") ?? JSON.stringify(metaOf(members, response));
  const job_id = textOf(members, "job_id");
  const simulation_id = textOf(members, "simulation_id");
  const reward = numberOf(members, "reward");
  const step: CopiedStep = {
    request_id: textOf(members, "request_id") ?? `${session_id}/${model}/${step_id}`,
    ...{ session_id, model, step_id: Number(step_id) },
    status_code: numberOf(members, "status_code") ?? 200,
    env_name: textOf(members, "env_name"),
    ...{ job_id, group_id: textOf(members, "group_id") },
    step_reward: numberOf(members, "step_reward"),
    // launcher export repeats the simulation's reward on every line; only the last step was given it.
    reward: simulation_id !== null && members.is_terminal !== true ? null : reward,
    is_trainable: members.is_trainable === true,
    is_terminal: members.is_terminal === true,
    is_truncated: members.is_truncated === true,
    is_session_completed: members.is_session_completed === true,
    created_at: textOf(members, "created_at") ?? createdOf(members.response) ?? storedAt,
    meta_json: meta,
    request: payloadOf(line, members, "request"),
    ...{ response, messages: payloadOf(line, members, "messages") },
  };
  if (job_id === null || simulation_id === null) return { step, attempt: null };
  return { step, attempt: { job_id, simulation_id, reward } };
}

/** The JSON of a payload. The console exports it as a string, the launcher as part of the line. */
function payloadOf(line: string, members: Members, name: string): string | null {
  const value = members[name];
  if (value === null || value === undefined) return null;
  const isText = typeof value === "string" && typeof members.meta_json === "string";
  return isText ? value : memberOf(line, name);
}

/** What a gateway would have recorded, as far as the answer says. */
function metaOf(members: Members, response: string | null): Members {
  const answer = objectOf(members.response);
  const usage = objectOf(answer.usage);
  const [choice] = Array.isArray(answer.choices) ? answer.choices : [];
  const finish = isJsonObject(choice) ? choice.finish_reason : answer.stop_reason;
  return {
    status_code: 200,
    outcome: response === null ? null : "completed",
    finish_reason: finish ?? null,
    prompt_tokens: usage.prompt_tokens ?? usage.input_tokens ?? null,
    completion_tokens: usage.completion_tokens ?? usage.output_tokens ?? null,
    cost_nano_usd: members.cost_nano_usd ?? null,
  };
}

function createdOf(response: unknown): string | null {
  const answer = objectOf(response);
  const seconds = answer.created ?? answer.created_at;
  const isTime = typeof seconds === "number" && seconds > 0 && seconds < 1e11;
  return isTime ? new Date(1000 * seconds).toISOString() : null;
}

const textOf = (members: Members, name: string): string | null =>
  typeof members[name] === "string" ? members[name] : null;

const numberOf = (members: Members, name: string): number | null =>
  typeof members[name] === "number" ? members[name] : null;
