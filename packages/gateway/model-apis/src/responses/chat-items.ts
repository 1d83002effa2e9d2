import {
  type ChatMessage,
  type ChatPart,
  type ChatToolCall,
  chatArguments,
  chatContent,
  listOf,
  NotSupportedByEngine,
  textOf,
} from "../chat.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** A model's turn, which is several items of the Responses API. */
interface Turn {
  readonly said: ChatPart[];
  readonly thoughts: string[];
  readonly calls: ChatToolCall[];
}

/** The messages of a request's `input`. */
export function readItems(input: unknown): readonly ChatMessage[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  const messages: ChatMessage[] = [];
  let turn: Turn | null = null;
  for (const [index, item] of listOf(input).entries()) {
    const place = `input[${index}]`;
    if (!isJsonObject(item)) throw new NotSupportedByEngine(place);
    const other = readOther(item, place);
    if (other === null) {
      turn ??= { said: [], thoughts: [], calls: [] };
      readModelItem(item, place, turn);
      continue;
    }
    if (turn !== null) messages.push(messageOf(turn));
    turn = null;
    messages.push(other);
  }
  if (turn !== null) messages.push(messageOf(turn));
  return messages;
}

function messageOf({ said, thoughts, calls }: Turn): ChatMessage {
  const reasoning_content = thoughts.join("\n");
  return {
    role: "assistant",
    content: chatContent(said),
    ...(reasoning_content === "" ? {} : { reasoning_content }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Reads an item that the model did not make; null: it did. */
function readOther(item: JsonObject, place: string): ChatMessage | null {
  const { type, role, content, call_id, output } = item;
  if (type === "function_call_output" || type === "custom_tool_call_output")
    return {
      role: "tool",
      tool_call_id: textOf(call_id),
      content: chatContent(partsOf(output, `${place}.output`)),
    };
  const isMessage = type === "message" || type === undefined;
  if (!isMessage || role === "assistant") return null;
  if (role === "user") return { role, content: chatContent(partsOf(content, `${place}.content`)) };
  if (role === "system" || role === "developer")
    return { role: "system", content: chatContent(partsOf(content, `${place}.content`)) };
  throw new NotSupportedByEngine(`${place}.role`, `'${textOf(role)}'`);
}

function readModelItem(item: JsonObject, place: string, turn: Turn): void {
  const { type, content, call_id, name } = item;
  if (type === "reasoning") turn.thoughts.push(...thoughtsOf(item));
  else if (type === "message" || type === undefined)
    turn.said.push(...partsOf(content, `${place}.content`));
  else if (type === "function_call")
    turn.calls.push(callOf(call_id, name, chatArguments(textOf(item.arguments))));
  else if (type === "custom_tool_call")
    turn.calls.push(callOf(call_id, name, { input: textOf(item.input) }));
  else throw new NotSupportedByEngine(`${place}.type`, `'${textOf(type)}'`);
}

const callOf = (id: unknown, name: unknown, given: JsonObject | string): ChatToolCall => {
  return { id: textOf(id), type: "function", function: { name: textOf(name), arguments: given } };
};

/** Agents that keep nothing at the server send reasoning back as `encrypted_content`: here it is its text. */
function thoughtsOf({ content, encrypted_content }: JsonObject): readonly string[] {
  const texts = listOf(content).flatMap((part) =>
    isJsonObject(part) && typeof part.text === "string" ? [part.text] : [],
  );
  if (texts.length > 0 || typeof encrypted_content !== "string") return texts;
  return [Buffer.from(encrypted_content, "base64").toString()];
}

const texts = new Set<unknown>(["input_text", "output_text", "text"]);

function partsOf(content: unknown, place: string): readonly ChatPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).map((part, at) => {
    if (!isJsonObject(part)) throw new NotSupportedByEngine(`${place}[${at}]`);
    const { type, text, refusal, image_url } = part;
    if (texts.has(type) && typeof text === "string") return { type: "text", text };
    if (type === "refusal") return { type: "text", text: textOf(refusal) };
    if (type === "input_image" && typeof image_url === "string")
      return { type: "image_url", image_url: { url: image_url } };
    throw new NotSupportedByEngine(`${place}[${at}].type`, `'${textOf(type)}'`);
  });
}
