import type {
  AnswerFormat,
  Conversation,
  ReadRequest,
  Tool,
  ToolChoice,
} from "../conversation/conversation.ts";
import { type SamplingNames, Unsupported } from "../conversation/read-members.ts";
import { readUtterance } from "../conversation/utterance.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

export const samplingNames: SamplingNames = {
  temperature: "temperature",
  top_p: "top_p",
  top_k: "top_k",
  min_p: "min_p",
  repetition_penalty: "repetition_penalty",
  frequency_penalty: "frequency_penalty",
  presence_penalty: "presence_penalty",
  seed: "seed",
  // Engines take it too; OpenAI's newer models take no other.
  max_tokens: "max_completion_tokens",
  n: "n",
};

const knownMembers = [
  ...Object.values(samplingNames),
  ...["model", "messages", "tools", "tool_choice", "parallel_tool_calls", "max_tokens", "stop"],
  ...["logprobs", "top_logprobs", "response_format", "reasoning_effort", "stream"],
  "stream_options",
];
const messageMembers = [
  ...["role", "content", "refusal", "reasoning_content", "reasoning", "tool_calls"],
  "tool_call_id",
];
const partMembers = { text: ["text"], image_url: ["image_url"], refusal: ["refusal"] };

export function readChatRequest(body: JsonObject): ReadRequest {
  const unsupported = new Unsupported();
  unsupported.members(body, knownMembers);
  const sampling = unsupported.sampling(body, samplingNames);
  const messages = unsupported.objects(body, "messages");
  for (const message of messages) nameUnknown(message, unsupported);
  const stream_options = unsupported.object(body, "stream_options");
  unsupported.members(stream_options, ["include_usage"], "stream_options.");
  const isLogged = unsupported.flag(body, "logprobs") === true;
  const top_logprobs = unsupported.number(body, "top_logprobs") ?? 0;
  const conversation: Conversation = {
    model: unsupported.text(body, "model") ?? "",
    messages: messages.map(readUtterance),
    tools: unsupported.objects(body, "tools").flatMap((tool) => readTool(tool, unsupported)),
    tool_choice: readToolChoice(body.tool_choice, unsupported),
    parallel_tool_calls: unsupported.flag(body, "parallel_tool_calls"),
    sampling: {
      ...sampling,
      max_tokens: sampling.max_tokens ?? unsupported.number(body, "max_tokens"),
      top_logprobs: isLogged ? top_logprobs : null,
    },
    stop: unsupported.texts(body, "stop"),
    format: readFormat(body.response_format, unsupported),
    reasoning_effort: unsupported.text(body, "reasoning_effort"),
    stream: unsupported.flag(body, "stream") === true,
    stream_usage: stream_options?.include_usage === true,
  };
  const { names, malformed } = unsupported;
  return { conversation, unsupported: names, malformed };
}

function nameUnknown(message: JsonObject, unsupported: Unsupported): void {
  const path = "messages[].";
  unsupported.members(message, messageMembers, path);
  unsupported.parts(message.content, partMembers, `${path}content`);
  for (const part of Array.isArray(message.content) ? message.content : []) {
    const image = isJsonObject(part) ? part.image_url : null;
    const known = isJsonObject(image) && image.detail === "auto" ? ["url", "detail"] : ["url"];
    unsupported.members(image, known, `${path}content[].image_url.`);
  }
  for (const call of unsupported.objects(message, "tool_calls")) {
    unsupported.members(call, ["id", "type", "index", "function"], `${path}tool_calls[].`);
    unsupported.members(call.function, ["name", "arguments"], `${path}tool_calls[].function.`);
  }
}

function readTool(
  { type, function: defined, ...more }: JsonObject,
  unsupported: Unsupported,
): Tool[] {
  unsupported.members(more, [], "tools[].");
  if (type !== "function" || !isJsonObject(defined) || typeof defined.name !== "string") {
    unsupported.add(`tools[].${String(type)}`);
    return [];
  }
  const path = "tools[].function.";
  unsupported.members(defined, ["name", "description", "parameters", "strict"], path);
  return [
    {
      name: defined.name,
      description: unsupported.text(defined, "description", path),
      parameters: unsupported.object(defined, "parameters", path),
      strict: unsupported.flag(defined, "strict", path),
    },
  ];
}

function readToolChoice(choice: unknown, unsupported: Unsupported): ToolChoice {
  if (choice === undefined || choice === null) return "auto";
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  const named = isJsonObject(choice) ? choice.function : null;
  if (isJsonObject(named) && typeof named.name === "string") return { name: named.name };
  unsupported.addMalformed("tool_choice");
  return "auto";
}

function readFormat(format: unknown, unsupported: Unsupported): AnswerFormat {
  if (format === undefined || format === null) return { kind: "text" };
  if (isJsonObject(format)) {
    const { type, json_schema: schema } = format;
    if (type === "text" || type === "json_object") return { kind: type };
    if (type === "json_schema" && isJsonObject(schema) && isJsonObject(schema.schema)) {
      const path = "response_format.json_schema.";
      unsupported.members(schema, ["name", "schema", "strict"], path);
      const name = unsupported.text(schema, "name", path) ?? "answer";
      const strict = unsupported.flag(schema, "strict", path);
      return { kind: "json_schema", name, schema: schema.schema, strict };
    }
  }
  unsupported.addMalformed("response_format");
  return { kind: "text" };
}
