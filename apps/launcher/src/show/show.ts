import { readConversation, sessionSteps, stepJson } from "@proj/launcher-client";
import type { EnvironmentRow, JobStore } from "@proj/session-store";
import type { ShowOptions } from "../command-line/command.ts";
import { withStorage } from "../storage.ts";
import { writeText } from "../text/write-text.ts";
import { environmentText, StepText } from "./session-text.ts";

/** @returns the exit code */
export function show(options: ShowOptions): Promise<number> {
  const { db_path, session_id, full, json } = options;
  return withStorage(db_path, async (store) => {
    const environment = await store.readEnvironment(session_id);
    const { steps } = await store.readSteps({ session_id, limit: 1 });
    if (environment === null && steps.length === 0) {
      throw new Error(
        `there is no session '${session_id}'; launcher status --job-id ID names some`,
      );
    }
    const pieces = json
      ? sessionJson(store, session_id, environment)
      : sessionText(store, session_id, environment, full);
    await writeText(process.stdout, pieces);
    return 0;
  });
}

async function* sessionText(
  store: JobStore,
  session_id: string,
  environment: EnvironmentRow | null,
  full: boolean,
): AsyncGenerator<string> {
  if (environment !== null) yield environmentText(environment);
  const steps = new StepText(process.stdout, full);
  for await (const step of readConversation(sessionSteps(store, session_id))) yield* steps.of(step);
}

async function* sessionJson(
  store: JobStore,
  session_id: string,
  environment: EnvironmentRow | null,
): AsyncGenerator<string> {
  yield `{"environment":${JSON.stringify(environment)},"steps":[`;
  let separator = "";
  for await (const step of sessionSteps(store, session_id)) {
    yield separator;
    yield* stepJson(step);
    separator = ",\n";
  }
  yield "]}\n";
}
