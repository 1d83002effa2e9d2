import { writeChoiceStream } from "../choices/choice-stream.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** Streams a chat completion that was recorded whole: one chunk for each member of a choice's message. */
export const writeChatStream = (answer: JsonObject): string =>
  writeChoiceStream(answer, "chat.completion.chunk", chunksOf);

function chunksOf({ index: _index, message, finish_reason, ...rest }: JsonObject): JsonObject[] {
  const members = isJsonObject(message) ? Object.entries(message) : [];
  const chunk = (delta: JsonObject): JsonObject => ({ delta, finish_reason: null });
  // Members sent with the first delta: the role, and members that are null.
  const first = members.filter(([name, value]) => name === "role" || value === null);
  const said = members.filter(([name, value]) => name !== "role" && value !== null);
  const begin = Object.fromEntries(first);
  if (typeof Object.fromEntries(said).content === "string") begin.content = "";
  return [
    chunk(begin),
    ...said.map(([name, value]) => chunk({ [name]: deltaOf(name, value) })),
    { delta: {}, ...rest, finish_reason: finish_reason ?? null },
  ];
}

/** In a delta, an `index` tells tool calls apart. */
function deltaOf(name: string, value: unknown): unknown {
  if (name !== "tool_calls" || !Array.isArray(value)) return value;
  return value.map((call, index) => (isJsonObject(call) ? { index, ...call } : call));
}
