import { type ChatRequest, NotSupportedByEngine, presentOf, refuseMembers } from "./chat.ts";
import { chatMessages, chatRoles } from "./chat-messages.ts";
import type { Conversation, ReadRequest } from "./conversation/conversation.ts";
import type { Utterance, UtterancePart } from "./conversation/utterance.ts";
import { isJsonObject, type JsonObject, objectOf } from "./json/json-object.ts";

/** What an engine makes of an API's requests beside their conversation. */
export interface ChatReading {
  /** Members that ask for something that no engine does. */
  readonly refused: readonly string[];
  /** Members that change nothing about what is sampled. */
  readonly withoutEffect: readonly string[];
  /** Whether `variables` or `members` say what a conversation cannot, by its name there. */
  readonly isExpressed: (name: string, request: JsonObject) => boolean;
  /** What the API itself has for variables of the chat template. */
  readonly variables: (request: JsonObject) => JsonObject;
  /** Members of chat completions beside `messages` and `tools`. */
  readonly members: (request: JsonObject, conversation: Conversation) => JsonObject;
  readonly tools: (request: JsonObject, conversation: Conversation) => readonly JsonObject[];
  /** The member that says whether tools are to be called. */
  readonly toolChoice: string;
}

/** Parts that only the service that wrote them can read; a history goes on without them. */
const unread: ReadonlySet<string> = new Set(["redacted_thinking"]);

/** Turns an API's reader of requests into one for engines. Its function throws NotSupportedByEngine. */
export function chatReader(
  readRequest: (request: JsonObject) => ReadRequest,
  reading: ChatReading,
): (request: JsonObject) => ChatRequest {
  return (request) => {
    refuseMembers(request, reading.refused);
    const { conversation, unsupported, malformed } = readRequest(request);
    for (const name of unsupported) refuseUnread(request, name, reading.refused);
    for (const message of conversation.messages) checkMessage(request, message);
    const { chat_template_kwargs } = request;
    const [unreadable] = [...malformed, ...malformedVariables(chat_template_kwargs)];
    if (unreadable !== undefined) throw new NotSupportedByEngine(unreadable, "this value");
    const { tool_choice } = conversation;
    if (conversation.tools.length === 0 && tool_choice !== "auto" && tool_choice !== "none")
      throw new NotSupportedByEngine(reading.toolChoice, "this value without tools");
    const withoutEffect = presentOf(request, reading.withoutEffect);
    const left = unsupported.filter(
      (name) =>
        name !== "chat_template_kwargs" &&
        !withoutEffect.some((it) => name.startsWith(`${it}.`)) &&
        !reading.isExpressed(name, request),
    );
    const tools = reading.tools(request, conversation);
    return {
      messages: chatMessages(conversation.messages),
      tools: tools.length === 0 ? null : tools,
      variables: {
        ...reading.variables(request),
        ...objectOf(chat_template_kwargs),
      },
      members: reading.members(request, conversation),
      ignored: [...new Set([...withoutEffect, ...left])],
    };
  };
}

/** The members of chat completions that a conversation gives. */
export function chatMembers({ sampling, stop, format, ...conversation }: Conversation): JsonObject {
  // How many answers, and alternatives of their tokens, are what the API's reader has judged.
  const { n: _n, top_logprobs: _top, ...sampled } = sampling;
  const { tool_choice: choice, tools, parallel_tool_calls, reasoning_effort } = conversation;
  const members = { ...sampled, parallel_tool_calls, reasoning_effort };
  const tool_choice =
    typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
  return {
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
    ...(stop.length === 0 ? {} : { stop }),
    ...(choice === "auto" || tools.length === 0 ? {} : { tool_choice }),
    ...(format.kind === "text" ? {} : { response_format: responseFormat(format) }),
  };
}

function responseFormat(format: Conversation["format"]): JsonObject {
  if (format.kind !== "json_schema") return { type: format.kind };
  const { kind: type, name, schema, strict } = format;
  return { type, json_schema: { name, schema, strict: strict ?? true } };
}

/** A conversation's tools as functions. */
export const chatTools = (_request: JsonObject, { tools }: Conversation): readonly JsonObject[] =>
  tools.map(({ name, ...more }) => {
    const given = Object.entries(more).filter(([, value]) => value !== null);
    return { type: "function", function: { name, ...Object.fromEntries(given) } };
  });

/** Of the template's variables, those that the request itself decides. */
const decided = ["chat_template", "documents", "messages", "tools"];

function malformedVariables(variables: unknown): readonly string[] {
  if (variables != null && !isJsonObject(variables)) return ["chat_template_kwargs"];
  return presentOf(objectOf(variables), decided).map((name) => `chat_template_kwargs.${name}`);
}

/** Members that a conversation cannot do without. */
const needed: ReadonlySet<string> = new Set(["messages[].function_call"]);

/**
 * Refuses what the conversation does not have and the model's answer depends on: the name of an element of a list,
 * such as `tools[].web_search`, is that of its type.
 */
function refuseUnread(request: JsonObject, name: string, refused: readonly string[]): void {
  if (needed.has(name) || refused.includes(name)) throw new NotSupportedByEngine(name);
  const steps = name.split("[].");
  const type = steps.pop() ?? "";
  if (unread.has(type)) return;
  const place = elementOf(request, steps, type);
  if (place !== null) throw new NotSupportedByEngine(`${place}.type`, `'${type}'`);
}

/** The place of the first element of a type in the lists of a path; null if there is none. */
function elementOf(value: JsonObject, path: readonly string[], type: string): string | null {
  const [name = "", ...rest] = path;
  const list = value[name];
  if (!Array.isArray(list)) return null;
  for (const [at, element] of list.entries()) {
    const place = `${name}[${at}]`;
    if (rest.length === 0) {
      if ((isJsonObject(element) ? String(element.type) : "unknown") === type) return place;
    } else if (isJsonObject(element)) {
      const found = elementOf(element, rest, type);
      if (found !== null) return `${place}.${found}`;
    }
  }
  return null;
}

function checkMessage(request: JsonObject, { role, parts }: Utterance): void {
  if (role !== "tool" && chatRoles[role] === undefined) {
    const place = placeOf(request, (value) => isJsonObject(value) && value.role === role);
    throw new NotSupportedByEngine(`${place}.role`, `'${role}'`);
  }
  for (const part of parts) checkPart(request, part);
}

function checkPart(request: JsonObject, part: UtterancePart): void {
  if (part.kind === "tool_result") for (const inner of part.parts) checkPart(request, inner);
  if (part.kind !== "other" || unread.has(part.type)) return;
  const place = placeOf(request, (value) => JSON.stringify(value) === part.json);
  // A part of Google's API has no type, but a member of its kind.
  const kind = part.json.includes('"type"') ? "type" : part.type;
  throw new NotSupportedByEngine(`${place}.${kind}`, `'${part.type}'`);
}

/** The place of the first value that fits, searched everywhere: it is named in an error. */
function placeOf(value: unknown, fits: (value: unknown) => boolean, place = ""): string {
  if (place !== "" && fits(value)) return place;
  const inner: [string, unknown][] = Array.isArray(value)
    ? value.map((element, at) => [`${place}[${at}]`, element])
    : Object.entries(objectOf(value)).map(([name, member]) => [
        place === "" ? name : `${place}.${name}`,
        member,
      ]);
  for (const [name, member] of inner) {
    const found = placeOf(member, fits, name);
    if (found !== "") return found;
  }
  return "";
}
