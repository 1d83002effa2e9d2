import {
  type ChatMessage,
  type ChatPart,
  type ChatRequest,
  chatArguments,
  chatContent,
  listOf,
  NotSupportedByEngine,
  objectsOf,
  presentOf,
  refuseMembers,
  textOf,
} from "../chat.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** What the gateway decides itself when it asks an engine. */
const own = new Set([
  "messages",
  "model",
  "stream",
  "stream_options",
  "tools",
  "chat_template_kwargs",
  "return_token_ids",
]);
const refused = [
  "audio",
  "chat_template",
  "continue_final_message",
  "documents",
  "function_call",
  "functions",
  "input_ids",
  "kv_transfer_params",
  "prediction",
  "web_search_options",
];
const withoutEffect = [
  "metadata",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "service_tier",
  "store",
  "user",
  "verbosity",
];

/**
 * Reads a chat completions request. Sampling parameters that OpenAI does not have are the engine's to judge.
 * @throws NotSupportedByEngine
 */
export function readChat(request: JsonObject): ChatRequest {
  refuseMembers(request, refused);
  const { n, modalities, reasoning_effort, chat_template_kwargs } = request;
  if (typeof n === "number" && n > 1) throw new NotSupportedByEngine("n", "several choices");
  if (listOf(modalities).includes("audio")) throw new NotSupportedByEngine("modalities", "audio");
  const members = Object.entries(request).filter(
    ([name, value]) => !own.has(name) && !withoutEffect.includes(name) && value !== null,
  );
  return {
    messages: listOf(request.messages).map(readMessage),
    tools: readTools(request.tools),
    variables: {
      ...(typeof reasoning_effort === "string" ? { reasoning_effort } : {}),
      ...(isJsonObject(chat_template_kwargs) ? chat_template_kwargs : {}),
    },
    members: Object.fromEntries(members),
    ignored: presentOf(request, withoutEffect),
  };
}

function readTools(tools: unknown): readonly JsonObject[] | null {
  const given = objectsOf(tools);
  for (const [index, { type }] of given.entries())
    if (type !== "function")
      throw new NotSupportedByEngine(`tools[${index}].type`, `'${textOf(type)}'`);
  return given.length === 0 ? null : given;
}

const roles: Readonly<Record<string, ChatMessage["role"]>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
};

function readMessage(value: unknown, index: number): ChatMessage {
  const place = `messages[${index}]`;
  if (!isJsonObject(value)) throw new NotSupportedByEngine(place);
  const { content, tool_calls, tool_call_id, function_call } = value;
  const role = roles[textOf(value.role)];
  if (role === undefined)
    throw new NotSupportedByEngine(`${place}.role`, `'${textOf(value.role)}'`);
  if (isJsonObject(function_call)) throw new NotSupportedByEngine(`${place}.function_call`);
  const parts =
    typeof content === "string"
      ? [{ type: "text", text: content } as const]
      : listOf(content).map((part, at) => readPart(part, `${place}.content[${at}]`));
  const reasoning_content = textOf(value.reasoning_content ?? value.reasoning);
  const calls = objectsOf(tool_calls).map((call, at) =>
    readCall(call, `${place}.tool_calls[${at}]`),
  );
  return {
    role,
    content: chatContent(parts),
    ...(reasoning_content === "" ? {} : { reasoning_content }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(role === "tool" ? { tool_call_id: textOf(tool_call_id) } : {}),
  };
}

function readPart(part: unknown, place: string): ChatPart {
  if (isJsonObject(part)) {
    const { type, text, refusal, image_url } = part;
    if (type === "text" && typeof text === "string") return { type, text };
    if (type === "refusal" && typeof refusal === "string") return { type: "text", text: refusal };
    if (type === "image_url" && isJsonObject(image_url)) return { type, image_url };
    throw new NotSupportedByEngine(`${place}.type`, `'${textOf(type)}'`);
  }
  throw new NotSupportedByEngine(place);
}

function readCall({ id, type, function: called }: JsonObject, place: string) {
  if (!isJsonObject(called)) throw new NotSupportedByEngine(`${place}.type`, `'${textOf(type)}'`);
  const given = chatArguments(textOf(called.arguments));
  return {
    id: textOf(id),
    type: "function",
    function: { name: textOf(called.name), arguments: given },
  } as const;
}
