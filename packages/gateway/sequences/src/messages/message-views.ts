import { canonicalJson, isObject } from "./canonical-json.ts";

/**
 * Three readings of a message, each ignoring more: as sent; with the arguments of tool calls parsed as JSON;
 * and also without reasoning. The first reading in which two messages agree shows what changed between them.
 */
export type Reading = "as_sent" | "arguments_read" | "without_reasoning";

type JsonObject = Readonly<Record<string, unknown>>;

/** Members of chat completions; in Anthropic's API reasoning is a block, in responses an item. */
const reasoningMembers = new Set(["reasoning", "reasoning_content", "reasoning_details"]);
const reasoningTypes = new Set(["thinking", "redacted_thinking", "reasoning"]);
/** Servers fill these in, and clients may leave them out: no template shows them. */
const decorations = new Set([
  ...["id", "status", "annotations", "logprobs", "cache_control", "thoughtSignature"],
  // From Codex to OpenAI.
  "internal_chat_message_metadata_passthrough",
]);

/** The message's text in one reading; null if nothing is left of it. */
export function readMessage(message: unknown, reading: Reading): string | null {
  if (!isObject(message)) return canonicalJson(message);
  if (reading === "without_reasoning" && isReasoning(message)) return null;
  return canonicalJson(readMembers(message, reading));
}

/** Whether a message contains reasoning that a template or a client may leave out later. */
export function hasReasoning(message: unknown): boolean {
  return (
    isObject(message) &&
    readMessage(message, "arguments_read") !== readMessage(message, "without_reasoning")
  );
}

function readMembers(message: JsonObject, reading: Reading): JsonObject {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(message)) {
    if (decorations.has(name) || isNothing(value)) continue;
    if (reading === "without_reasoning" && reasoningMembers.has(name)) continue;
    members[name] = readMember(name, value, reading);
  }
  return members;
}

function readMember(name: string, value: unknown, reading: Reading): unknown {
  if (name === "content" || name === "parts") return readContent(value, reading);
  if (reading === "as_sent") return value;
  if (name === "arguments") return parsed(value);
  if (name !== "tool_calls" || !Array.isArray(value)) return value;
  return value.map((call: unknown) =>
    isObject(call) && isObject(call.function)
      ? { ...call, function: { ...call.function, arguments: parsed(call.function.arguments) } }
      : call,
  );
}

/** A single text part equals the text alone. */
function readContent(content: unknown, reading: Reading): unknown {
  if (!Array.isArray(content)) return content;
  const parts = content
    .filter((part: unknown) => reading !== "without_reasoning" || !isReasoning(part))
    .map((part: unknown) => (isObject(part) ? readMembers(part, reading) : part));
  const [only] = parts;
  const isText = parts.length === 1 && isObject(only) && typeof only.text === "string";
  return isText ? only.text : parts;
}

const isReasoning = (part: unknown): boolean =>
  isObject(part) &&
  (part.thought === true || (typeof part.type === "string" && reasoningTypes.has(part.type)));

const isNothing = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
