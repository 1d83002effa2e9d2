import type {
  AnswerFormat,
  Conversation,
  Tool,
  ToolChoice,
  WrittenRequest,
} from "../conversation/conversation.ts";
import { Unsupported, writeSampling } from "../conversation/read-members.ts";
import type { JsonObject } from "../json/json-object.ts";
import { samplingNames, withLogprobs } from "./response-request.ts";
import { writeInput } from "./write-input.ts";

export function writeResponseRequest(conversation: Conversation): WrittenRequest {
  const unsupported = new Unsupported();
  const { sampling, stop, tools, format, tool_choice: choice } = conversation;
  const { parallel_tool_calls, reasoning_effort, stream } = conversation;
  const { top_logprobs } = sampling;
  if (stop.length > 0) unsupported.add("stop");
  const body = {
    model: conversation.model,
    input: conversation.messages.flatMap((message) => writeInput(message, unsupported)),
    ...writeSampling(sampling, samplingNames, unsupported),
    ...(top_logprobs === null ? {} : { top_logprobs, include: [withLogprobs] }),
    ...(tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
    ...(choice === "auto" ? {} : { tool_choice: writeToolChoice(choice) }),
    ...(parallel_tool_calls === null ? {} : { parallel_tool_calls }),
    ...(format.kind === "text" ? {} : { text: { format: writeFormat(format) } }),
    ...(reasoning_effort === null ? {} : { reasoning: { effort: reasoning_effort } }),
    ...(stream ? { stream } : {}),
  };
  return { body, unsupported: unsupported.names };
}

const writeTool = ({ name, description, parameters, strict }: Tool): JsonObject => {
  // Without `strict` the API takes it for true.
  return {
    type: "function",
    name,
    ...(description === null ? {} : { description }),
    parameters,
    strict: strict ?? false,
  };
};

const writeToolChoice = (choice: ToolChoice): unknown =>
  typeof choice === "string" ? choice : { type: "function", name: choice.name };

function writeFormat(format: AnswerFormat): JsonObject {
  if (format.kind !== "json_schema") return { type: format.kind };
  const { kind: type, name, schema, strict } = format;
  return { type, name, schema, ...(strict === null ? {} : { strict }) };
}
