import type { Utterance } from "@proj/model-apis/conversation";
import type { SessionStore } from "../store.ts";
import { readConversation } from "./conversation.ts";
import { sessionSteps } from "./session-steps.ts";

/** What was said in a session, message by message. */
export async function transcriptOf(
  store: Pick<SessionStore, "readSteps">,
  session_id: string,
): Promise<readonly string[]> {
  const parts: string[] = [];
  for await (const { step, messages, answers } of readConversation(
    sessionSteps(store, session_id),
  )) {
    if (step.step_id < 1) continue;
    parts.push(...[...(messages ?? []), ...(answers ?? [])].map(said));
  }
  return parts;
}

/** How many tool calls of a session failed, as the agent told its model. Reads every step. */
export async function countToolFailures(
  store: Pick<SessionStore, "readSteps">,
  session_id: string,
): Promise<number> {
  let failures = 0;
  for await (const { messages } of readConversation(sessionSteps(store, session_id)))
    for (const { parts } of messages ?? [])
      failures += parts.filter((part) => part.kind === "tool_result" && part.is_error).length;
  return failures;
}

function said({ role, parts }: Utterance): string {
  const lines = parts.map((part) => {
    switch (part.kind) {
      case "tool_call":
        return `calls ${part.name} ${part.arguments}`;
      case "tool_result":
        return `${part.is_error ? "a tool failed" : "a tool answered"}: ${part.text}`;
      case "text":
      case "reasoning":
      case "refusal":
        return part.text;
      default:
        return `[${part.kind}]`;
    }
  });
  return `${role}: ${lines.join("\n")}`;
}
