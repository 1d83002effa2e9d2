import { ApiError } from "./api-error.ts";
import { isJsonObject, type JsonObject, objectsOf } from "./json-object.ts";
import type { AnswerFormat, Call, Prompt, Tool, Turn } from "./prompt.ts";
import {
  invalidType,
  invalidValue,
  readBoolean,
  readInteger,
  readObjects,
  readStrings,
  requireModel,
  textOfContent,
} from "./request-members.ts";
import { readToys } from "./toys.ts";

const roles: Readonly<Record<string, Turn["role"]>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};

/** @throws ApiError for whatever the real service refuses too */
export function readChatRequest(body: JsonObject): Prompt {
  const model = requireModel(body);
  const turns = readObjects(body, "messages").map(readTurn);
  if (turns.length === 0) {
    throw new ApiError(400, "Invalid 'messages': it must not be empty.", "messages", "empty_array");
  }
  const maxTokens = readInteger(body, "max_tokens", [1, 1_000_000]);
  return {
    model,
    turns,
    tools: readObjects(body, "tools").flatMap(readTool),
    toolChoice: readToolChoice(body.tool_choice),
    format: readFormat(body.response_format),
    choices: readInteger(body, "n", [1, 128]) ?? 1,
    maxTokens: readInteger(body, "max_completion_tokens", [1, 1_000_000]) ?? maxTokens,
    stop: readStrings(body, "stop", 4).filter((stop) => stop !== ""),
    topLogprobs: readTopLogprobs(body),
    toys: readToys(body),
  };
}

function readTurn(message: JsonObject, index: number): Turn {
  const param = `messages[${index}]`;
  const role = typeof message.role === "string" ? roles[message.role] : undefined;
  if (role === undefined) {
    throw invalidValue(`${param}.role`, "use system, developer, user, assistant or tool");
  }
  const { reasoning_content: thinking } = message;
  return {
    role,
    text: textOfContent(message.content, `${param}.content`),
    calls: objectsOf(message.tool_calls).flatMap(readCall),
    ...(typeof thinking === "string" ? { thinking } : {}),
  };
}

function readCall({ function: called }: JsonObject): readonly Call[] {
  if (!isJsonObject(called)) return [];
  const { name, arguments: given } = called;
  return typeof name === "string" && typeof given === "string" ? [{ name, arguments: given }] : [];
}

function readTool(tool: JsonObject, index: number): readonly Tool[] {
  if (tool.type !== "function") return [];
  const definition = tool.function;
  if (!isJsonObject(definition) || typeof definition.name !== "string") {
    throw invalidType(`tools[${index}].function`, "an object with a name");
  }
  return [{ name: definition.name, parameters: definition.parameters }];
}

function readToolChoice(choice: unknown): Prompt["toolChoice"] {
  if (choice === null || choice === undefined) return "auto";
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  if (isJsonObject(choice) && isJsonObject(choice.function)) {
    const { name } = choice.function;
    if (typeof name === "string") return [name];
  }
  if (isJsonObject(choice) && choice.type !== "function") return "auto";
  throw invalidType("tool_choice", "auto, none, required or an object that names a function");
}

function readFormat(format: unknown): AnswerFormat {
  if (format === null || format === undefined) return { kind: "text" };
  if (!isJsonObject(format)) throw invalidType("response_format", "an object");
  if (format.type === "text" || format.type === "json_object") return { kind: format.type };
  if (format.type === "json_schema" && isJsonObject(format.json_schema)) {
    return { kind: "json_schema", schema: format.json_schema.schema };
  }
  throw invalidType("response_format", "the type text, json_object or json_schema");
}

function readTopLogprobs(body: JsonObject): number | null {
  const top = readInteger(body, "top_logprobs", [0, 20]);
  if (readBoolean(body, "logprobs")) return top ?? 0;
  if (top === null) return null;
  throw invalidValue("top_logprobs", "it needs 'logprobs' to be true");
}
