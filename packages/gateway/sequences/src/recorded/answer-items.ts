import { listOf, objectOf } from "@proj/model-apis/json";

/** The part of an answer that a later request would repeat: a message, or the items of the Responses API. */
export function answerOf(response: unknown, choice: number): readonly unknown[] {
  const { choices, output, candidates, role, content } = objectOf(response);
  if (Array.isArray(choices)) {
    const { message } = objectOf(choices[choice]);
    return message === undefined ? [] : [message];
  }
  if (Array.isArray(output)) return output;
  if (Array.isArray(candidates)) {
    const { content: said } = objectOf(candidates[choice]);
    return said === undefined ? [] : [said];
  }
  return typeof role === "string" ? [{ role, content }] : [];
}

/** The ids of the tool calls in one of these items. */
export function toolCallIds(item: unknown): string[] {
  const { tool_calls, content, parts, call_id } = objectOf(item);
  const called = listOf(parts).map((part) => objectOf(part).functionCall);
  const calls = [...listOf(tool_calls), ...listOf(content), ...called];
  return [call_id, ...calls.map((call) => objectOf(call).id)].filter(
    (id) => typeof id === "string",
  );
}
