import {
  type ChatMessage,
  type ChatPart,
  type ChatToolCall,
  chatContent,
  listOf,
  NotSupportedByEngine,
  textOf,
} from "../chat.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** Claude Code's billing block changes with every request, and no engine reads it. */
const billing = "x-anthropic-billing-header:";

/** The messages of a request to Anthropic's API, its system text first. */
export function readMessages({ system, messages }: JsonObject): readonly ChatMessage[] {
  const texts = blocksOf(system, "system")
    .map((block, at) => readPart(block, `system[${at}]`))
    .filter((part) => part.type !== "text" || !part.text.startsWith(billing));
  const first: ChatMessage[] =
    texts.length === 0 ? [] : [{ role: "system", content: chatContent(texts) }];
  return [...first, ...listOf(messages).flatMap(readMessage)];
}

function readMessage(message: unknown, index: number): readonly ChatMessage[] {
  const place = `messages[${index}]`;
  if (!isJsonObject(message)) throw new NotSupportedByEngine(place);
  const blocks = blocksOf(message.content, `${place}.content`);
  const placed = blocks.map((block, at) => [block, `${place}.content[${at}]`] as const);
  switch (message.role) {
    case "assistant":
      return [readAssistant(placed)];
    case "user":
      return readUser(placed);
    case "system":
      return [
        { role: "system", content: chatContent(placed.map(([block, at]) => readPart(block, at))) },
      ];
    default:
      throw new NotSupportedByEngine(`${place}.role`, `'${textOf(message.role)}'`);
  }
}

type Placed = readonly (readonly [block: JsonObject, place: string])[];

/** Tool results are messages of their own, before what the user says beside them. */
function readUser(blocks: Placed): readonly ChatMessage[] {
  const results = blocks.flatMap(([block, place]): ChatMessage[] => {
    if (block.type !== "tool_result") return [];
    const parts = blocksOf(block.content, `${place}.content`).map((part, at) =>
      readPart(part, `${place}.content[${at}]`),
    );
    return [{ role: "tool", tool_call_id: textOf(block.tool_use_id), content: chatContent(parts) }];
  });
  const said = blocks
    .filter(([{ type }]) => type !== "tool_result")
    .map(([block, place]) => readPart(block, place));
  const isOnlyResults = said.length === 0 && results.length > 0;
  return isOnlyResults ? results : [...results, { role: "user", content: chatContent(said) }];
}

function readAssistant(blocks: Placed): ChatMessage {
  const said: ChatPart[] = [];
  const thoughts: string[] = [];
  const calls: ChatToolCall[] = [];
  for (const [block, place] of blocks) {
    const { type, thinking, id, name, input } = block;
    if (type === "thinking") thoughts.push(textOf(thinking));
    else if (type === "tool_use") {
      const given = isJsonObject(input) ? input : {};
      calls.push({
        id: textOf(id),
        type: "function",
        function: { name: textOf(name), arguments: given },
      });
    } else if (type !== "redacted_thinking") said.push(readPart(block, place));
  }
  const reasoning_content = thoughts.join("\n");
  return {
    role: "assistant",
    content: chatContent(said),
    ...(reasoning_content === "" ? {} : { reasoning_content }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function blocksOf(content: unknown, place: string): readonly JsonObject[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (Array.isArray(content) && content.every(isJsonObject)) return content;
  throw new NotSupportedByEngine(place);
}

function readPart(block: JsonObject, place: string): ChatPart {
  const { type, text, source } = block;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "image" && isJsonObject(source)) {
    if (source.type === "url") return { type: "image_url", image_url: { url: source.url } };
    if (source.type === "base64") {
      const url = `data:${textOf(source.media_type)};base64,${textOf(source.data)}`;
      return { type: "image_url", image_url: { url } };
    }
  }
  throw new NotSupportedByEngine(`${place}.type`, `'${textOf(type)}'`);
}
