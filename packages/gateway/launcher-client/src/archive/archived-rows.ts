import type { EnvironmentRow, Score, SqliteCopy, StoredStep } from "@proj/session-store";
import { z } from "zod";
import { ArchiveError } from "./archive-error.ts";
import type { TableName } from "./layout.ts";

const text = z.string();
const textOrNull = text.nullable();
const whole = z.int();
const numberOrNull = z.number().nullable();
const flag = z.boolean();

const rollout: z.ZodType<EnvironmentRow> = z.object({
  ...{ session_id: text, job_id: text, simulation_id: text, attempt: whole },
  ...{ env_name: textOrNull, env_params: textOrNull, group_id: textOrNull },
  status: z.enum(["pending", "running", "finished", "failed", "infrastructure", "interrupted"]),
  ...{ reward: numberOrNull, result: textOrNull, error: textOrNull },
  ...{ owner: textOrNull, heartbeat_at: textOrNull },
  ...{ created_at: text, started_at: textOrNull, finished_at: textOrNull },
});

const step: z.ZodType<StoredStep> = z.object({
  ...{ id: whole, request_id: text, session_id: text, model: text, step_id: whole },
  ...{ status_code: whole, env_name: textOrNull, job_id: textOrNull, group_id: textOrNull },
  ...{ step_reward: numberOrNull, reward: numberOrNull },
  ...{ is_trainable: flag, is_terminal: flag, is_truncated: flag, is_session_completed: flag },
  ...{ created_at: text, meta_json: text },
  ...{ request: textOrNull, response: textOrNull, messages: textOrNull },
});

const score: z.ZodType<Score> = z.object({
  ...{ session_id: text, name: text, author: text, repetition: whole },
  ...{ value: numberOrNull, label: textOrNull, comment: textOrNull, judged_in: textOrNull },
  created_at: text,
});

/** @throws ArchiveError the row has not the columns of its table: another program wrote the archive */
export function addArchivedRow(copy: SqliteCopy, table: TableName, row: object): void {
  if (table === "rollouts") copy.addAttempt(parsed(rollout, table, row));
  else if (table === "steps") copy.addStep(parsed(step, table, row));
  else copy.addScore(parsed(score, table, row));
}

function parsed<Row>(form: z.ZodType<Row>, table: TableName, row: object): Row {
  const read = form.safeParse(row);
  if (read.success) return read.data;
  const [{ path = [], message = "" } = {}] = read.error.issues;
  throw new ArchiveError(`a row of ${table} is of another form: ${path.join(".")}: ${message}`);
}
