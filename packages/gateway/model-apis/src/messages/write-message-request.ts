import type {
  Conversation,
  Tool,
  ToolChoice,
  WrittenRequest,
} from "../conversation/conversation.ts";
import { Unsupported, writeSampling } from "../conversation/read-members.ts";
import type { Utterance, UtterancePart } from "../conversation/utterance.ts";
import type { JsonObject } from "../json/json-object.ts";
import { argumentsOf } from "../live-answer.ts";
import { samplingNames } from "./message-request.ts";

/** The API requires a bound. */
const defaultMaxTokens = 4_096;

export function writeMessageRequest(conversation: Conversation): WrittenRequest {
  const unsupported = new Unsupported();
  const { sampling, stop, tools, format, tool_choice: choice, messages } = conversation;
  const { parallel_tool_calls, reasoning_effort, stream } = conversation;
  if (format.kind !== "text") unsupported.add("format");
  if (reasoning_effort !== null) unsupported.add("reasoning_effort");
  if (sampling.top_logprobs !== null) unsupported.add("top_logprobs");
  const begin = messages.findIndex(({ role }) => !isSystem(role));
  const leading = messages.slice(0, begin === -1 ? undefined : begin);
  const system = leading.flatMap(({ parts }) => writeBlocks(parts, unsupported));
  const body = {
    model: conversation.model,
    max_tokens: defaultMaxTokens,
    ...writeSampling(sampling, samplingNames, unsupported),
    ...(system.length === 0 ? {} : { system }),
    messages: writeMessages(messages.slice(leading.length), unsupported),
    ...(stop.length === 0 ? {} : { stop_sequences: stop }),
    ...(tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
    ...writeToolChoice(choice, parallel_tool_calls),
    ...(stream ? { stream } : {}),
  };
  return { body, unsupported: unsupported.names };
}

const isSystem = (role: string): boolean => role === "system" || role === "developer";

/** Results are blocks of a user message, and neighbours of one role are one message. */
function writeMessages(messages: readonly Utterance[], unsupported: Unsupported): JsonObject[] {
  const written: { role: string; content: JsonObject[] }[] = [];
  for (const message of messages) {
    const role = isSystem(message.role)
      ? "system"
      : message.role === "tool"
        ? "user"
        : message.role;
    const content = writeBlocks(message.parts, unsupported);
    const last = written.at(-1);
    if (last?.role === role) last.content.push(...content);
    else written.push({ role, content });
  }
  return written;
}

function writeBlocks(parts: readonly UtterancePart[], unsupported: Unsupported): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    switch (part.kind) {
      case "text":
      case "refusal":
        return [{ type: "text", text: part.text }];
      case "image":
        return [{ type: "image", source: writeSource(part.url) }];
      case "tool_call":
        return [writeCall(part)];
      case "tool_result": {
        const content = writeBlocks(part.parts, unsupported);
        const failed = part.is_error ? { is_error: true } : {};
        return [{ type: "tool_result", tool_use_id: part.call_id ?? "", content, ...failed }];
      }
      default:
        // The service takes thinking back only with its own signature.
        unsupported.add(`messages[].${part.kind === "other" ? part.type : part.kind}`);
        return [];
    }
  });
}

function writeSource(url: string): JsonObject {
  const [, media_type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return data === undefined ? { type: "url", url } : { type: "base64", media_type, data };
}

function writeCall(part: Extract<UtterancePart, { kind: "tool_call" }>): JsonObject {
  const input = argumentsOf(part.arguments);
  return { type: "tool_use", id: part.call_id ?? "", name: part.name, input };
}

const writeTool = ({ name, description, parameters, strict }: Tool): JsonObject => {
  return {
    name,
    ...(description === null ? {} : { description }),
    input_schema: parameters ?? { type: "object", properties: {} },
    ...(strict === null ? {} : { strict }),
  };
};

function writeToolChoice(choice: ToolChoice, parallel: boolean | null): JsonObject {
  const serial = parallel === null ? {} : { disable_parallel_tool_use: !parallel };
  if (choice === "auto" && parallel === null) return {};
  if (typeof choice !== "string") return { tool_choice: { type: "tool", ...choice, ...serial } };
  const type = choice === "required" ? "any" : choice;
  return { tool_choice: { type, ...(type === "none" ? {} : serial) } };
}
