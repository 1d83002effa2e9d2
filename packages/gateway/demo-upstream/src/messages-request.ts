import { isJsonObject, type JsonObject, objectsOf } from "./json-object.ts";
import type { Prompt, Tool, Turn } from "./prompt.ts";
import {
  invalidType,
  invalidValue,
  readInteger,
  readObjects,
  readStrings,
  requireModel,
  textOfContent,
} from "./request-members.ts";
import { noToys } from "./toys.ts";

/** @throws ApiError for whatever the real service refuses too */
export function readMessagesRequest(body: JsonObject): Prompt {
  const model = requireModel(body);
  const messages = readObjects(body, "messages").flatMap(readMessage);
  if (messages.length === 0) throw invalidValue("messages", "it must not be empty");
  const maxTokens = readInteger(body, "max_tokens", [1, 1_000_000]);
  const system = textOfContent(body.system, "system");
  return {
    model,
    turns: system === "" ? messages : [{ role: "system", text: system }, ...messages],
    tools: readObjects(body, "tools").flatMap(readTool),
    toolChoice: readToolChoice(body.tool_choice),
    format: { kind: "text" },
    choices: 1,
    maxTokens,
    stop: readStrings(body, "stop_sequences", 100),
    toys: noToys,
    topLogprobs: null,
  };
}

/** Tool results become separate turns, as in the other APIs. */
function readMessage({ role, content }: JsonObject, index: number): readonly Turn[] {
  const param = `messages[${index}]`;
  if (role !== "user" && role !== "assistant" && role !== "system") {
    throw invalidValue(`${param}.role`, "use user, assistant or system");
  }
  const results = objectsOf(content)
    .filter(({ type }) => type === "tool_result")
    .map(
      (block): Turn => ({ role: "tool", text: textOfContent(block.content, `${param}.content`) }),
    );
  const calls = objectsOf(content)
    .filter(({ type }) => type === "tool_use")
    .map(({ name, input }) => `${name}${JSON.stringify(input ?? {})}`);
  const text = textOfContent(content, `${param}.content`) + calls.join("");
  return text === "" && results.length > 0 ? results : [...results, { role, text }];
}

function readTool(tool: JsonObject, index: number): readonly Tool[] {
  // The service's own tools have a type and no schema.
  if (!isJsonObject(tool.input_schema)) return [];
  if (typeof tool.name !== "string") throw invalidType(`tools[${index}].name`, "a string");
  return [{ name: tool.name, parameters: tool.input_schema }];
}

function readToolChoice(choice: unknown): Prompt["toolChoice"] {
  if (!isJsonObject(choice) || choice.type === "auto") return "auto";
  if (choice.type === "none") return "none";
  if (choice.type === "any") return "required";
  if (choice.type === "tool" && typeof choice.name === "string") return [choice.name];
  throw invalidType("tool_choice", "the type auto, any, none or tool with a name");
}
