import type {
  AnswerFormat,
  Conversation,
  ReadRequest,
  Tool,
  ToolChoice,
} from "../conversation/conversation.ts";
import {
  joinTurns,
  noSampling,
  type SamplingNames,
  Unsupported,
} from "../conversation/read-members.ts";
import { readUtterance, splitResults } from "../conversation/utterance.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

export const samplingNames: SamplingNames = {
  temperature: "temperature",
  top_p: "top_p",
  top_k: "top_k",
  max_tokens: "max_tokens",
};

const knownMembers = [
  ...Object.values(samplingNames),
  ...["model", "system", "messages", "tools", "tool_choice", "stop_sequences", "stream"],
  ...["output_config", "output_format"],
];
const partMembers = {
  text: ["text"],
  image: ["source"],
  thinking: ["thinking"],
  tool_use: ["id", "name", "input"],
  tool_result: ["tool_use_id", "content", "is_error"],
};

export function readMessageRequest(body: JsonObject): ReadRequest {
  const unsupported = new Unsupported();
  unsupported.members(body, knownMembers);
  unsupported.parts(body.system, { text: ["text"] }, "system");
  const system = readUtterance({ role: "system", content: body.system ?? "" });
  const choice = unsupported.object(body, "tool_choice") ?? {};
  const serial = unsupported.flag(choice, "disable_parallel_tool_use", "tool_choice.");
  const output = unsupported.object(body, "output_config") ?? {};
  unsupported.members(output, ["effort", "format"], "output_config.");
  const conversation: Conversation = {
    model: unsupported.text(body, "model") ?? "",
    messages: [
      ...(system.parts.length === 0 ? [] : [system]),
      ...joinTurns(
        unsupported.objects(body, "messages").flatMap((message) => {
          unsupported.members(message, ["role", "content"], "messages[].");
          unsupported.parts(message.content, partMembers, "messages[].content");
          return splitResults(readUtterance(message));
        }),
      ),
    ],
    tools: unsupported.objects(body, "tools").flatMap((tool) => readTool(tool, unsupported)),
    tool_choice: readToolChoice(choice, unsupported),
    parallel_tool_calls: serial === null ? null : !serial,
    sampling: { ...noSampling, ...unsupported.sampling(body, samplingNames) },
    stop: unsupported.texts(body, "stop_sequences"),
    format: readFormat(output.format ?? body.output_format, unsupported),
    reasoning_effort: unsupported.text(output, "effort", "output_config."),
    stream: unsupported.flag(body, "stream") === true,
    // Its last events always have the usage.
    stream_usage: body.stream === true,
  };
  const { names, malformed } = unsupported;
  return { conversation, unsupported: names, malformed };
}

function readTool(tool: JsonObject, unsupported: Unsupported): Tool[] {
  const { type, name, input_schema } = tool;
  if ((type ?? "custom") !== "custom" || typeof name !== "string" || !isJsonObject(input_schema)) {
    unsupported.add(`tools[].${String(type)}`);
    return [];
  }
  const path = "tools[].";
  unsupported.members(tool, ["type", "name", "description", "input_schema", "strict"], path);
  const description = unsupported.text(tool, "description", path);
  const strict = unsupported.flag(tool, "strict", path);
  return [{ name, description, parameters: input_schema, strict }];
}

function readFormat(format: unknown, unsupported: Unsupported): AnswerFormat {
  if (format === undefined || format === null) return { kind: "text" };
  if (isJsonObject(format) && format.type === "json_schema" && isJsonObject(format.schema))
    return { kind: "json_schema", name: "answer", schema: format.schema, strict: null };
  unsupported.addMalformed("output_config.format");
  return { kind: "text" };
}

function readToolChoice(choice: JsonObject, unsupported: Unsupported): ToolChoice {
  unsupported.members(choice, ["type", "name", "disable_parallel_tool_use"], "tool_choice.");
  const { type = "auto", name } = choice;
  if (type === "auto" || type === "none") return type;
  if (type === "any") return "required";
  if (type === "tool" && typeof name === "string") return { name };
  unsupported.addMalformed("tool_choice");
  return "auto";
}
