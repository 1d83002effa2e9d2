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
import { readItems } from "./chat-items.ts";

const withoutEffect = [
  "client_metadata",
  "include",
  "max_tool_calls",
  "metadata",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "service_tier",
  "store",
  "truncation",
  "user",
];
const refused = ["background", "conversation", "previous_response_id", "prompt", "top_logprobs"];

/**
 * Reads a request of OpenAI's Responses API.
 * @throws NotSupportedByEngine
 */
export function readChat(request: JsonObject): ChatRequest {
  refuseMembers(request, refused);
  const { instructions, input, reasoning, text, tool_choice } = request;
  const { effort, summary } = isJsonObject(reasoning) ? reasoning : {};
  const { format, verbosity } = isJsonObject(text) ? text : {};
  const tools = objectsOf(request.tools).map(readTool);
  const first =
    typeof instructions === "string" && instructions !== ""
      ? [{ role: "system", content: instructions } as const]
      : [];
  const reasons = typeof effort === "string" ? { reasoning_effort: effort } : {};
  return {
    messages: [...first, ...readItems(input)],
    tools: tools.length === 0 ? null : tools,
    variables: reasons,
    members: {
      ...renamed(request, {
        max_output_tokens: "max_tokens",
        temperature: "temperature",
        top_p: "top_p",
        parallel_tool_calls: "parallel_tool_calls",
      }),
      ...reasons,
      ...(tools.length === 0 ? {} : readToolChoice(tool_choice)),
      ...readFormat(format),
    },
    ignored: [
      ...presentOf(request, withoutEffect),
      ...(typeof verbosity === "string" ? ["text.verbosity"] : []),
      ...(typeof summary === "string" ? ["reasoning.summary"] : []),
    ],
  };
}

/** A custom tool takes one text, which an engine gets as a function's only argument. */
function readTool({ type, name, description, parameters }: JsonObject, index: number): JsonObject {
  if (type === "function") return functionTool(name, description, parameters);
  if (type !== "custom")
    throw new NotSupportedByEngine(`tools[${index}].type`, `'${textOf(type)}'`);
  const properties = { input: { type: "string" } };
  return functionTool(name, description, { type: "object", properties, required: ["input"] });
}

function readToolChoice(choice: unknown): JsonObject {
  if (choice === undefined || choice === null) return {};
  if (choice === "auto" || choice === "none" || choice === "required")
    return { tool_choice: choice };
  const { type, name } = isJsonObject(choice) ? choice : {};
  if (type === "function" || type === "custom")
    return { tool_choice: { type: "function", function: { name } } };
  throw new NotSupportedByEngine("tool_choice", `'${textOf(type)}'`);
}

function readFormat(format: unknown): JsonObject {
  if (!isJsonObject(format) || format.type === "text") return {};
  const { type, name = "answer", schema, strict } = format;
  if (type === "json_object") return { response_format: { type } };
  if (type !== "json_schema")
    throw new NotSupportedByEngine("text.format.type", `'${textOf(type)}'`);
  return { response_format: { type, json_schema: { name, schema, strict: strict ?? true } } };
}
