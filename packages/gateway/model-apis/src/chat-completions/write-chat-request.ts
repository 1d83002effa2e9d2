import type {
  AnswerFormat,
  Conversation,
  Tool,
  ToolChoice,
  WrittenRequest,
} from "../conversation/conversation.ts";
import { callsOf, textOf } from "../conversation/model-answer.ts";
import { Unsupported, writeSampling } from "../conversation/read-members.ts";
import type { Utterance, UtterancePart } from "../conversation/utterance.ts";
import type { JsonObject } from "../json/json-object.ts";
import { samplingNames } from "./chat-request.ts";

export function writeChatRequest(conversation: Conversation): WrittenRequest {
  const unsupported = new Unsupported();
  const { sampling, stop, tools, format, tool_choice: choice } = conversation;
  const { parallel_tool_calls, reasoning_effort, stream, stream_usage } = conversation;
  const { top_logprobs } = sampling;
  const body = {
    model: conversation.model,
    messages: conversation.messages.flatMap((message) => writeMessage(message, unsupported)),
    ...writeSampling(sampling, samplingNames, unsupported),
    ...(top_logprobs === null ? {} : { logprobs: true, top_logprobs }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
    ...(choice === "auto" ? {} : { tool_choice: writeToolChoice(choice) }),
    ...(parallel_tool_calls === null ? {} : { parallel_tool_calls }),
    ...(format.kind === "text" ? {} : { response_format: writeFormat(format) }),
    ...(reasoning_effort === null ? {} : { reasoning_effort }),
    ...(stream ? { stream } : {}),
    ...(stream_usage ? { stream_options: { include_usage: true } } : {}),
  };
  return { body, unsupported: unsupported.names };
}

function writeMessage({ role, parts }: Utterance, unsupported: Unsupported): JsonObject[] {
  const results = parts.flatMap((part) => {
    if (part.kind !== "tool_result") return [];
    if (part.is_error) unsupported.add("messages[].is_error");
    const content = writeContent(part.parts, unsupported);
    return [{ role: "tool", tool_call_id: part.call_id ?? "", content }];
  });
  if (results.length === parts.length && results.length > 0) return results;
  const calls = callsOf(parts).map(({ call_id, name, arguments: given }) => {
    return { id: call_id ?? "", type: "function", function: { name, arguments: given } };
  });
  const reasoning_content = textOf(parts, "reasoning");
  const refusal = textOf(parts, "refusal");
  const content = writeContent(parts, unsupported);
  const message: JsonObject = {
    role,
    content: content === "" && (calls.length > 0 || refusal !== "") ? null : content,
    ...(reasoning_content === "" ? {} : { reasoning_content }),
    ...(refusal === "" ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return [...results, message];
}

/** Texts alone are one string, which every engine takes. */
function writeContent(parts: readonly UtterancePart[], unsupported: Unsupported): unknown {
  const content = parts.flatMap((part): JsonObject[] => {
    if (part.kind === "text") return [{ type: "text", text: part.text }];
    if (part.kind === "image") return [{ type: "image_url", image_url: { url: part.url } }];
    if (part.kind === "other") unsupported.add(`messages[].${part.type}`);
    return [];
  });
  if (content.some(({ type }) => type !== "text") || content.length > 1) return content;
  return content[0]?.text ?? "";
}

const writeTool = ({ name, description, parameters, strict }: Tool): JsonObject => {
  const defined = {
    name,
    ...(description === null ? {} : { description }),
    ...(parameters === null ? {} : { parameters }),
    ...(strict === null ? {} : { strict }),
  };
  return { type: "function", function: defined };
};

const writeToolChoice = (choice: ToolChoice): unknown =>
  typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };

function writeFormat(format: AnswerFormat): JsonObject {
  if (format.kind !== "json_schema") return { type: format.kind };
  const { kind: type, name, schema, strict } = format;
  return { type, json_schema: { name, schema, ...(strict === null ? {} : { strict }) } };
}
