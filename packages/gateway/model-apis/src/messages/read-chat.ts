import {
  type ChatRequest,
  functionTool,
  NotSupportedByEngine,
  objectsOf,
  presentOf,
  refuseMembers,
  renamed,
  textOf,
} from "../chat.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { readMessages } from "./chat-messages.ts";

const withoutEffect = ["metadata", "service_tier", "context_management", "cache_control"];
const refused = ["mcp_servers", "container"];

/**
 * Reads a request of Anthropic's API.
 * @throws NotSupportedByEngine
 */
export function readChat(request: JsonObject): ChatRequest {
  refuseMembers(request, refused);
  const { thinking, output_config } = request;
  const { effort, format } = isJsonObject(output_config) ? output_config : {};
  const { type: thinks, budget_tokens } = isJsonObject(thinking) ? thinking : {};
  const tools = objectsOf(request.tools).map(readTool);
  const reasons = typeof effort === "string" ? { reasoning_effort: effort } : {};
  return {
    messages: readMessages(request),
    tools: tools.length === 0 ? null : tools,
    variables: {
      ...reasons,
      ...(typeof thinks === "string" ? { enable_thinking: thinks !== "disabled" } : {}),
    },
    members: {
      ...renamed(request, {
        max_tokens: "max_tokens",
        temperature: "temperature",
        top_p: "top_p",
        top_k: "top_k",
        stop_sequences: "stop",
      }),
      ...reasons,
      ...readToolChoice(request.tool_choice),
      ...readFormat(format ?? request.output_format),
    },
    ignored: [
      ...presentOf(request, withoutEffect),
      ...(budget_tokens === undefined ? [] : ["thinking.budget_tokens"]),
    ],
  };
}

/** Tools with a type of their own run at Anthropic, or are known to its models alone. */
function readTool(
  { type, name, description, input_schema }: JsonObject,
  index: number,
): JsonObject {
  if (type !== undefined && type !== null && type !== "custom")
    throw new NotSupportedByEngine(`tools[${index}].type`, `'${textOf(type)}'`);
  return functionTool(name, description, input_schema);
}

const choices: Readonly<Record<string, string>> = { auto: "auto", any: "required", none: "none" };

function readToolChoice(choice: unknown): JsonObject {
  if (!isJsonObject(choice)) return {};
  const { type, name, disable_parallel_tool_use } = choice;
  const one = disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {};
  if (type === "tool") return { tool_choice: { type: "function", function: { name } }, ...one };
  const tool_choice = choices[textOf(type)];
  if (tool_choice === undefined)
    throw new NotSupportedByEngine("tool_choice.type", `'${textOf(type)}'`);
  return { tool_choice, ...one };
}

function readFormat(format: unknown): JsonObject {
  if (!isJsonObject(format)) return {};
  const { type, schema } = format;
  if (type !== "json_schema")
    throw new NotSupportedByEngine("output_config.format.type", `'${textOf(type)}'`);
  return { response_format: { type, json_schema: { name: "answer", schema, strict: true } } };
}
