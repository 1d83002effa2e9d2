import type {
  AnswerFormat,
  Conversation,
  ReadRequest,
  Tool,
  ToolChoice,
} from "../conversation/conversation.ts";
import { joinTurns, type SamplingNames, Unsupported } from "../conversation/read-members.ts";
import { readUtterance, type Utterance } from "../conversation/utterance.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

export const samplingNames: SamplingNames = {
  temperature: "temperature",
  top_p: "top_p",
  max_tokens: "max_output_tokens",
};

export const withLogprobs = "message.output_text.logprobs";

const knownMembers = [
  ...Object.values(samplingNames),
  ...["model", "instructions", "input", "tools", "tool_choice", "parallel_tool_calls", "text"],
  ...["reasoning", "stream", "top_logprobs", "include"],
];
const partMembers = {
  input_text: ["text"],
  output_text: ["text", "annotations"],
  text: ["text"],
  refusal: ["refusal"],
  input_image: ["image_url"],
};
/** By type, the members that an item may have; `status` only says that it was whole. */
const itemMembers: Readonly<Record<string, readonly string[]>> = {
  message: ["type", "id", "status", "role", "content"],
  function_call: ["type", "id", "status", "call_id", "name", "arguments"],
  function_call_output: ["type", "id", "status", "call_id", "output"],
  custom_tool_call: ["type", "id", "status", "call_id", "name", "input"],
  custom_tool_call_output: ["type", "id", "status", "call_id", "output"],
  reasoning: ["type", "id", "status", "summary", "content"],
};

export function readResponseRequest(body: JsonObject): ReadRequest {
  const unsupported = new Unsupported();
  unsupported.members(body, knownMembers);
  const instructions = unsupported.text(body, "instructions");
  const include = unsupported.texts(body, "include");
  for (const name of include) if (name !== withLogprobs) unsupported.add(`include.${name}`);
  const top_logprobs = unsupported.number(body, "top_logprobs");
  const reasoning = unsupported.object(body, "reasoning") ?? {};
  unsupported.members(reasoning, ["effort"], "reasoning.");
  const isLogged = top_logprobs !== null || include.includes(withLogprobs);
  const system: Utterance[] =
    instructions === null || instructions === ""
      ? []
      : [{ role: "system", parts: [{ kind: "text", text: instructions }] }];
  const conversation: Conversation = {
    model: unsupported.text(body, "model") ?? "",
    messages: [...system, ...joinTurns(readInput(body, unsupported))],
    tools: unsupported.objects(body, "tools").flatMap((tool) => readTool(tool, unsupported)),
    tool_choice: readToolChoice(body.tool_choice, unsupported),
    parallel_tool_calls: unsupported.flag(body, "parallel_tool_calls"),
    sampling: {
      ...unsupported.sampling(body, samplingNames),
      top_logprobs: isLogged ? (top_logprobs ?? 0) : null,
    },
    stop: [],
    format: readFormat(unsupported.object(body, "text") ?? {}, unsupported),
    reasoning_effort: unsupported.text(reasoning, "effort", "reasoning."),
    stream: unsupported.flag(body, "stream") === true,
    // Its last event always has the usage.
    stream_usage: body.stream === true,
  };
  const { names, malformed } = unsupported;
  return { conversation, unsupported: names, malformed };
}

function readInput(body: JsonObject, unsupported: Unsupported): readonly Utterance[] {
  const { input } = body;
  if (typeof input === "string") return [readUtterance({ role: "user", content: input })];
  return unsupported.objects(body, "input").map((item) => {
    const type = String(item.type ?? "message");
    const known = Object.hasOwn(itemMembers, type) ? itemMembers[type] : undefined;
    if (known === undefined) unsupported.add(`input[].${type}`);
    else unsupported.members(item, known, "input[].");
    if (type === "message") unsupported.parts(item.content, partMembers, "input[].content");
    if (Array.isArray(item.output)) unsupported.parts(item.output, partMembers, "input[].output");
    return readUtterance(type === "custom_tool_call" ? asFunctionCall(item) : item);
  });
}

/** A custom tool takes one text: as a function, its only argument. */
const customParameters: JsonObject = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
};

const asFunctionCall = ({ input, ...item }: JsonObject): JsonObject => {
  return { ...item, type: "function_call", arguments: JSON.stringify({ input }) };
};

function readTool(tool: JsonObject, unsupported: Unsupported): Tool[] {
  const { type, name } = tool;
  const isCustom = type === "custom";
  if ((type !== "function" && !isCustom) || typeof name !== "string") {
    unsupported.add(`tools[].${String(type)}`);
    return [];
  }
  const path = "tools[].";
  const defined = isCustom ? [] : ["parameters", "strict"];
  unsupported.members(tool, ["type", "name", "description", ...defined], path);
  return [
    {
      name,
      description: unsupported.text(tool, "description", path),
      parameters: isCustom ? customParameters : unsupported.object(tool, "parameters", path),
      strict: unsupported.flag(tool, "strict", path),
    },
  ];
}

function readToolChoice(choice: unknown, unsupported: Unsupported): ToolChoice {
  if (choice === undefined || choice === null) return "auto";
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  if (isJsonObject(choice) && typeof choice.name === "string")
    if (choice.type === "function" || choice.type === "custom") return { name: choice.name };
  unsupported.addMalformed("tool_choice");
  return "auto";
}

function readFormat(text: JsonObject, unsupported: Unsupported): AnswerFormat {
  unsupported.members(text, ["format"], "text.");
  const format = unsupported.object(text, "format", "text.") ?? { type: "text" };
  const { type, schema } = format;
  if (type === "text" || type === "json_object") return { kind: type };
  const path = "text.format.";
  if (type !== "json_schema" || !isJsonObject(schema)) {
    unsupported.addMalformed("text.format");
    return { kind: "text" };
  }
  unsupported.members(format, ["type", "name", "schema", "strict"], path);
  const name = unsupported.text(format, "name", path) ?? "answer";
  return { kind: type, name, schema, strict: unsupported.flag(format, "strict", path) };
}
