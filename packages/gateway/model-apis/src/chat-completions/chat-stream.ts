import { writeChoiceStream } from "../choices/choice-stream.ts";
import type { TokenPieces } from "../choices/token-pieces.ts";
import type { StreamOptions } from "../conversation/model-answer.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** The events that a chat completion is streamed as: every member of a choice's message in chunks of its own. */
export const writeChatStream = (answer: JsonObject, options: StreamOptions = {}): string[] =>
  writeChoiceStream(answer, options, "chat.completion.chunk", chunksOf);

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Reasoning comes before what it led to, whatever the order of the members. */
const rank = (name: string): number => (name.startsWith("reasoning") ? 0 : 1);

function chunksOf(choice: JsonObject, pieces: TokenPieces): JsonObject[] {
  const { index: _index, message, finish_reason, ...rest } = choice;
  const members = isJsonObject(message) ? Object.entries(message) : [];
  // The role and what is empty are sent with the first delta.
  const isFirst = ([name, value]: [string, unknown]): boolean => name === "role" || isEmpty(value);
  const said = members
    .filter((member) => !isFirst(member))
    .sort(([one], [other]) => rank(one) - rank(other));
  const begin = Object.fromEntries(members.filter(isFirst));
  if (typeof Object.fromEntries(said).content === "string") begin.content = "";
  const untold = rest.logprobs === undefined ? {} : { logprobs: null };
  const chunk = (delta: JsonObject, told: JsonObject = {}): JsonObject => {
    return { delta, ...untold, finish_reason: null, ...told };
  };
  const texts = ([name, value]: [string, unknown]): JsonObject[] => {
    if (name === "tool_calls" && Array.isArray(value))
      return value.flatMap((call, at) => callChunks(call, at, pieces, chunk));
    if (typeof value !== "string") return [chunk({ [name]: value })];
    return pieces
      .of(value)
      .map(({ text, told }) => chunk(text === "" ? {} : { [name]: text }, told));
  };
  return [
    chunk(begin),
    ...said.flatMap(texts),
    ...pieces.rest().map(({ told }) => chunk({}, told)),
    { delta: {}, ...pieces.left(rest), finish_reason: finish_reason ?? null },
  ];
}

/** In a delta, an `index` tells tool calls apart. */
function callChunks(
  call: unknown,
  index: number,
  pieces: TokenPieces,
  chunk: (delta: JsonObject, told?: JsonObject) => JsonObject,
): JsonObject[] {
  if (!isJsonObject(call)) return [chunk({ tool_calls: [call] })];
  const called = call.function;
  if (!isJsonObject(called) || typeof called.arguments !== "string")
    return [chunk({ tool_calls: [{ index, ...call }] })];
  const begin = { index, ...call, function: { ...called, arguments: "" } };
  return [
    chunk({ tool_calls: [begin] }),
    ...pieces.of(called.arguments).map(({ text, told }) => {
      const delta = { tool_calls: [{ index, function: { arguments: text } }] };
      return chunk(text === "" ? {} : delta, told);
    }),
  ];
}
