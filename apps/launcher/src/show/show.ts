import { readAgentEvents } from "@proj/gateway-protocol";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  oneOperand,
  ProgramError,
} from "@proj/program";
import type { EnvironmentRow, JobReader } from "@proj/session-store";
import { readConversation, scoresOf, sessionSteps, stepJson } from "@proj/session-store/answers";
import { reading } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { writeText } from "../text/write-text.ts";
import { agentEventsText } from "./agent-events-text.ts";
import { environmentText, StepText } from "./session-text.ts";

/** Shows one attempt as a conversation. */
export const show: Command = defineCommand({
  name: "show",
  summary: "show one attempt: its environment, its reward, and its steps as a conversation",
  about:
    "Shows one attempt: its environment, its reward, and its steps as a conversation, each with its new messages.",
  no: "there is no such session",
  operand: oneOperand(
    "SESSION",
    "a session's id, or a simulation's: its latest attempt, of the newest job that has it",
  ),
  options: {
    ...storageOptions(),
    full: flag("every text in full, however long"),
    json: jsonOption("the environment, the scores and the steps as one JSON object, as stored"),
  },
  run: ({ operand, options }, { calledAs, signal }) =>
    reading(
      dbPathOf(options),
      async (store) => {
        const { full, json } = options;
        const { steps } = await store.readSteps({ session_id: operand, limit: 1 });
        const own = await store.readEnvironment(operand);
        const isSession = own !== null || steps.length > 0;
        const environment = isSession ? own : await store.readLatestAttempt(operand);
        if (!isSession && environment === null) {
          throw new ProgramError(
            `there is no session or simulation '${operand}'; ${calledAs} status --job-id ID lists some`,
            exitCode.no,
          );
        }
        const session_id = environment?.session_id ?? operand;
        const pieces = json
          ? sessionJson(store, session_id, environment)
          : sessionText(store, session_id, environment, full);
        await writeText(process.stdout, pieces);
        return exitCode.done;
      },
      { session: operand, signal },
    ),
});

async function* sessionText(
  store: JobReader,
  session_id: string,
  environment: EnvironmentRow | null,
  full: boolean,
): AsyncGenerator<string> {
  if (environment !== null) {
    yield environmentText(environment, await scoresOf(store, environment));
    yield agentEventsText(readAgentEvents(environment.result));
  }
  const steps = new StepText(process.stdout, full);
  let isEmpty = true;
  for await (const step of readConversation(sessionSteps(store, session_id))) {
    isEmpty = false;
    yield* steps.of(step);
  }
  if (isEmpty) yield "\n(no model call was recorded)\n";
}

async function* sessionJson(
  store: JobReader,
  session_id: string,
  environment: EnvironmentRow | null,
): AsyncGenerator<string> {
  const scores = environment === null ? [] : await scoresOf(store, environment);
  yield `{"environment":${JSON.stringify(environment)},"scores":${JSON.stringify(scores)},"steps":[`;
  let separator = "";
  for await (const step of sessionSteps(store, session_id)) {
    yield separator;
    yield* stepJson(step);
    separator = ",\n";
  }
  yield "]}\n";
}
