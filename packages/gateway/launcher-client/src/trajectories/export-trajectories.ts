import { isJsonObject } from "@proj/model-apis/json";
import {
  type EnvironmentRow,
  type JobStore,
  jobEnvironments,
  type StoredStep,
} from "@proj/session-store";
import { asJson, isJson, sessionSteps, type WholeStep } from "@proj/session-store/answers";
import { readTokens } from "./token-record.ts";

export interface ExportOptions {
  /** @default all jobs, newest first */
  readonly job_id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Training data: for each finished simulation that has a reward, the steps with status 200 of the attempt that
 * finished, as JSON Lines in the order of (simulation_id, step). The text comes in pieces that may be smaller than a
 * line; at most one page of steps is in memory.
 *
 * JSON is exactly as stored, to the last digit, except that a line break between its tokens becomes a space.
 * @throws StoreUnavailableError; the signal's reason
 */
export async function* exportTrajectories(
  store: Pick<JobStore, "readJobs" | "readEnvironments" | "readSteps">,
  { job_id, signal }: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  const jobs = job_id === undefined ? await store.readJobs() : [{ job_id }];
  for (const job of jobs) {
    for await (const environment of jobEnvironments(store, job.job_id, "finished")) {
      if (environment.reward === null) continue;
      for await (const step of sessionSteps(store, environment.session_id)) {
        signal?.throwIfAborted();
        if (step.status_code === 200 && step.step_id > 0) yield* lineOf(environment, step);
      }
    }
  }
}

function* lineOf(environment: EnvironmentRow, step: WholeStep): Generator<string> {
  const { session_id, job_id, simulation_id, attempt, group_id, env_name } = environment;
  const { model, step_id } = step;
  const names = { session_id, job_id, simulation_id, attempt, group_id, env_name, model, step_id };
  yield JSON.stringify(names).slice(0, -1);
  const response = asJson(step.response);
  const payload = { messages: asJson(step.messages), request: asJson(step.request), response };
  for (const [name, json] of Object.entries(payload)) yield `,"${name}":${onOneLine(json)}`;
  const { reward } = environment;
  const { is_terminal, is_truncated } = step;
  const cost_nano_usd = costOf(step);
  const { history } = step;
  const about = { reward, is_terminal, is_truncated, cost_nano_usd, history };
  yield `,${JSON.stringify(about).slice(1, -1)}`;
  for (const [name, json] of Object.entries(readTokens(response))) {
    yield `,"${name}":${onOneLine(json ?? "null")}`;
  }
  yield "}\n";
}

/** In nano-dollars (10^-9 US dollars); null: unknown. */
function costOf({ meta_json }: StoredStep): number | null {
  const meta: unknown = isJson(meta_json) ? JSON.parse(meta_json) : null;
  return isJsonObject(meta) && typeof meta.cost_nano_usd === "number" ? meta.cost_nano_usd : null;
}

/** JSON strings contain no line breaks, so all of them are between tokens. */
const onOneLine = (json: string): string =>
  json.includes("\n") || json.includes("\r") ? json.replace(/[\r\n]/g, " ") : json;
