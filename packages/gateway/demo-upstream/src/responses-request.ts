import { ApiError } from "./api-error.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";
import type { AnswerFormat, Prompt, Tool, Turn } from "./prompt.ts";
import {
  invalidType,
  invalidValue,
  readInteger,
  readObjects,
  readString,
  readStrings,
  requireModel,
  textOfContent,
} from "./request-members.ts";
import { noToys } from "./toys.ts";

/** @throws ApiError for whatever the real service refuses too */
export function readResponsesRequest(body: JsonObject): Prompt {
  const model = requireModel(body);
  const previous = readString(body, "previous_response_id");
  if (previous !== null) {
    const message = `Previous response '${previous}' not found: this server stores nothing, send the whole input.`;
    throw new ApiError(400, message, "previous_response_id", "previous_response_not_found");
  }
  const instructions = readString(body, "instructions");
  const system: Turn[] = instructions === null ? [] : [{ role: "system", text: instructions }];
  const include = readStrings(body, "include", 100);
  const top = readInteger(body, "top_logprobs", [0, 20]);
  return {
    model,
    turns: [...system, ...readInput(body)],
    tools: readObjects(body, "tools").flatMap(readTool),
    toolChoice: readToolChoice(body.tool_choice),
    format: readFormat(body.text),
    choices: 1,
    maxTokens: readInteger(body, "max_output_tokens", [1, 1_000_000]),
    stop: [],
    toys: noToys,
    topLogprobs: include.includes("message.output_text.logprobs") ? (top ?? 0) : null,
  };
}

function readInput(body: JsonObject): readonly Turn[] {
  const input = body.input ?? null;
  if (input === null) {
    throw new ApiError(
      400,
      "Missing required parameter: 'input'.",
      "input",
      "missing_required_parameter",
    );
  }
  if (typeof input === "string") return [{ role: "user", text: input }];
  if (!Array.isArray(input)) throw invalidType("input", "a string or an array of items");
  return readObjects(body, "input").flatMap(readItem);
}

function readItem(item: JsonObject, index: number): readonly Turn[] {
  const param = `input[${index}]`;
  if (item.type === "function_call") {
    return [{ role: "assistant", text: `${item.name}${item.arguments}` }];
  }
  if (item.type === "function_call_output") {
    return [{ role: "tool", text: textOfContent(item.output, `${param}.output`) }];
  }
  if ((item.type ?? "message") !== "message") return [];
  const text = textOfContent(item.content, `${param}.content`);
  if (item.role === "user" || item.role === "assistant") return [{ role: item.role, text }];
  if (item.role === "system" || item.role === "developer") return [{ role: "system", text }];
  throw invalidValue(`${param}.role`, "use system, developer, user or assistant");
}

function readTool(tool: JsonObject, index: number): readonly Tool[] {
  if (tool.type !== "function") return [];
  if (typeof tool.name !== "string") throw invalidType(`tools[${index}].name`, "a string");
  return [{ name: tool.name, parameters: tool.parameters }];
}

function readToolChoice(choice: unknown): Prompt["toolChoice"] {
  if (choice === null || choice === undefined) return "auto";
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  if (!isJsonObject(choice)) throw invalidType("tool_choice", "auto, none, required or an object");
  if (choice.type !== "function") return "auto";
  if (typeof choice.name !== "string") throw invalidType("tool_choice.name", "a string");
  return [choice.name];
}

function readFormat(text: unknown): AnswerFormat {
  if (!isJsonObject(text) || !isJsonObject(text.format)) return { kind: "text" };
  const { type, schema } = text.format;
  if (type === "text" || type === "json_object") return { kind: type };
  if (type === "json_schema") return { kind: "json_schema", schema };
  throw invalidType("text.format", "the type text, json_object or json_schema");
}
