import { hash } from "node:crypto";
import type { ChatMessage } from "@proj/model-apis";
import { isJsonObject } from "@proj/model-apis/json";
import type { ChatPrompt } from "./renderer.ts";

type Change = (prompt: ChatPrompt) => ChatPrompt;

/**
 * The forms in which a template may take a conversation that it refuses as it is, in the order to try them in. They
 * say the same.
 * @param mayMove whether messages may change their places
 */
export function takenForms(prompt: ChatPrompt, mayMove: boolean): readonly ChatPrompt[] {
  const changes = [withShortIds, withDescriptions, ...(mayMove ? [withSystemFirst] : [])];
  const changed = changes.map((change) => change(prompt)).filter((form) => form !== prompt);
  const all = changes.reduce((form, change) => change(form), prompt);
  return [prompt, ...changed, ...(changed.length > 1 ? [all] : [])];
}

/** Mistral's templates take ids of nine letters and digits alone. */
const withShortIds: Change = (prompt) => {
  const { messages } = prompt;
  if (messages.every((message) => (message.tool_calls ?? message.tool_call_id) === undefined))
    return prompt;
  const shortened = messages.map((message): ChatMessage => {
    const { tool_calls, tool_call_id } = message;
    return {
      ...message,
      ...(tool_calls && { tool_calls: tool_calls.map((it) => ({ ...it, id: shortId(it.id) })) }),
      ...(tool_call_id !== undefined && { tool_call_id: shortId(tool_call_id) }),
    };
  });
  return { ...prompt, messages: shortened };
};

const shortId = (id: string): string =>
  /^[A-Za-z0-9]{9}$/.test(id) ? id : hash("sha256", id, "hex").slice(0, 9);

/** Some templates join a tool's description to other texts, and it may be null. */
const withDescriptions: Change = (prompt) => {
  const isBare = (called: unknown): boolean => isJsonObject(called) && called.description === null;
  if (!prompt.tools?.some((tool) => isBare(tool.function))) return prompt;
  const tools = prompt.tools.map(({ function: called, ...tool }) => {
    const described =
      isJsonObject(called) && isBare(called) ? { ...called, description: "" } : called;
    return { ...tool, function: described };
  });
  return { ...prompt, tools };
};

/** All system texts as one at the beginning, as vLLM joins them for templates that take one there alone. */
const withSystemFirst: Change = (prompt) => {
  const { messages } = prompt;
  const isSystem = ({ role }: ChatMessage): boolean => role === "system";
  if (!messages.slice(1).some(isSystem)) return prompt;
  const texts = messages.filter(isSystem).map(({ content }) => String(content));
  const content = texts.filter((text) => text !== "").join("\n\n");
  const others = messages.filter((message) => !isSystem(message));
  return { ...prompt, messages: [{ role: "system", content }, ...others] };
};
