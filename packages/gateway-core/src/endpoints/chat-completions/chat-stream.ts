import { isJsonObject, type JsonObject } from "../../json/json-object.ts";
import { writeChoiceStream } from "../choice-stream.ts";

/** Streams a chat completion that was recorded whole: a chunk for each member of a choice's message. */
export const writeChatStream = (answer: JsonObject): string =>
  writeChoiceStream(answer, "chat.completion.chunk", chunksOf);

function chunksOf({ index: _index, message, finish_reason, ...rest }: JsonObject): JsonObject[] {
  const members = isJsonObject(message) ? Object.entries(message) : [];
  const chunk = (delta: JsonObject): JsonObject => ({ delta, finish_reason: null });
  // What the message has from its beginning: who speaks, and of what it says nothing.
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

/** In a delta, tool calls are told apart by their places. */
function deltaOf(name: string, value: unknown): unknown {
  if (name !== "tool_calls" || !Array.isArray(value)) return value;
  return value.map((call, index) => (isJsonObject(call) ? { index, ...call } : call));
}
