import type { Conversation, ToolChoice, WrittenRequest } from "../conversation/conversation.ts";
import { Unsupported, writeSampling } from "../conversation/read-members.ts";
import type { Utterance, UtterancePart } from "../conversation/utterance.ts";
import type { JsonObject } from "../json/json-object.ts";
import { argumentsOf } from "../live-answer.ts";
import { samplingNames } from "./content-request.ts";

/** The path says the model, and whether the answer streams. */
export function writeContentRequest(conversation: Conversation): WrittenRequest {
  const unsupported = new Unsupported();
  const { sampling, stop, tools, format, tool_choice: choice, messages } = conversation;
  const { parallel_tool_calls, reasoning_effort } = conversation;
  const { top_logprobs } = sampling;
  if (parallel_tool_calls !== null) unsupported.add("parallel_tool_calls");
  const begin = messages.findIndex(({ role }) => !isSystem(role));
  const leading = messages.slice(0, begin === -1 ? undefined : begin);
  const system = leading.flatMap(({ parts }) => writeParts(parts, unsupported));
  const generationConfig = {
    ...writeSampling(sampling, samplingNames, unsupported),
    ...(top_logprobs === null ? {} : { responseLogprobs: true, logprobs: top_logprobs }),
    ...(stop.length === 0 ? {} : { stopSequences: stop }),
    ...(format.kind === "text" ? {} : { responseMimeType: "application/json" }),
    ...(format.kind === "json_schema" ? { responseJsonSchema: format.schema } : {}),
    ...(reasoning_effort === null
      ? {}
      : { thinkingConfig: { thinkingLevel: reasoning_effort.toUpperCase() } }),
  };
  const functionDeclarations = tools.map(({ name, description, parameters, strict }) => {
    if (strict === true) unsupported.add("tools[].strict");
    return {
      name,
      ...(description === null ? {} : { description }),
      ...(parameters === null ? {} : { parametersJsonSchema: parameters }),
    };
  });
  const body = {
    contents: writeContents(messages.slice(leading.length), unsupported),
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
    ...writeToolChoice(choice),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  };
  return { body, unsupported: unsupported.names };
}

const isSystem = (role: string): boolean => role === "system" || role === "developer";

/** Results are parts of a user's content, and neighbours of one role are one content. */
function writeContents(messages: readonly Utterance[], unsupported: Unsupported): JsonObject[] {
  const written: { role: string; parts: JsonObject[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "model" : "user";
    if (isSystem(message.role)) unsupported.add("messages[].system");
    const parts = writeParts(message.parts, unsupported);
    const last = written.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else written.push({ role, parts });
  }
  return written;
}

function writeParts(parts: readonly UtterancePart[], unsupported: Unsupported): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    switch (part.kind) {
      case "text":
      case "refusal":
        return [{ text: part.text }];
      case "reasoning":
        return [{ text: part.text, thought: true }];
      case "image":
        return [writeImage(part.url)];
      case "tool_call": {
        const { call_id, name } = part;
        const args = argumentsOf(part.arguments);
        return [{ functionCall: { ...(call_id === null ? {} : { id: call_id }), name, args } }];
      }
      case "tool_result":
        return [writeResult(part, unsupported)];
      default:
        unsupported.add(`messages[].${part.type}`);
        return [];
    }
  });
}

/** A result is an object here; it names its tool, which a conversation knows by the call's id alone. */
function writeResult(
  { call_id, parts, is_error }: Extract<UtterancePart, { kind: "tool_result" }>,
  unsupported: Unsupported,
): JsonObject {
  if (parts.some(({ kind }) => kind !== "text")) unsupported.add("messages[].tool_result");
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  const response = is_error ? { error: text } : { output: text };
  return { functionResponse: { id: call_id ?? "", name: call_id ?? "", response } };
}

function writeImage(url: string): JsonObject {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return data === undefined
    ? { fileData: { fileUri: url, mimeType: "image/*" } }
    : { inlineData: { mimeType, data } };
}

function writeToolChoice(choice: ToolChoice): JsonObject {
  if (choice === "auto") return {};
  const functionCallingConfig =
    typeof choice === "string"
      ? { mode: choice === "required" ? "ANY" : "NONE" }
      : { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { toolConfig: { functionCallingConfig } };
}
