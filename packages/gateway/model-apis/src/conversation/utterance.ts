import { isJsonObject, type JsonObject, listOf, objectOf } from "../json/json-object.ts";
import { camelMembers } from "./camel-members.ts";

/** One message of chat completions, or one item of responses. */
export interface Utterance {
  /** `system`, `user`, `assistant`, `tool`, or any other role in the request. */
  readonly role: string;
  readonly parts: readonly UtterancePart[];
}

export type UtterancePart =
  | { readonly kind: "text" | "reasoning" | "refusal"; readonly text: string }
  | {
      readonly kind: "tool_call";
      readonly call_id: string | null;
      readonly name: string;
      /** As the model wrote them, usually JSON. */
      readonly arguments: string;
    }
  | {
      readonly kind: "tool_result";
      readonly call_id: string | null;
      readonly text: string;
      /** Everything that the tool returned, images too. */
      readonly parts: readonly UtterancePart[];
      readonly is_error: boolean;
    }
  | {
      readonly kind: "image";
      /** Where it is, or a `data:` URL. */
      readonly url: string;
      readonly type: string;
      readonly json: string;
    }
  /** A sound, a file, or an unknown kind. */
  | { readonly kind: "other"; readonly type: string; readonly json: string };

/** Reads a message or an item; from anything else, reads as much as it can. */
export function readUtterance(value: unknown): Utterance {
  if (!isJsonObject(value)) return { role: "unknown", parts: [otherPart(value)] };
  const role = stringOf(value.role);
  const type = stringOf(value.type);
  switch (type) {
    case "reasoning":
      return { role: "assistant", parts: reasoningOf([value.summary, value.content]) };
    case "function_call":
    case "custom_tool_call":
      return { role: "assistant", parts: [toolCall(value.call_id, value)] };
    case "function_call_output":
    case "custom_tool_call_output":
      return { role: "tool", parts: [toolResult(value.call_id, value.output)] };
  }
  if (role === null) return { role: "assistant", parts: [otherPart(value)] };
  if ((role === "tool" || role === "function") && !Array.isArray(value.parts)) {
    return { role: "tool", parts: [toolResult(value.tool_call_id ?? value.name, value.content)] };
  }
  const { parts: given } = value;
  const parts = Array.isArray(given) ? given.flatMap(contentOfPart) : messageParts(value);
  // Anthropic's and Google's APIs send tool results as user messages.
  const areResults = parts.length > 0 && parts.every(({ kind }) => kind === "tool_result");
  if (areResults) return { role: "tool", parts };
  return { role: role === "model" ? "assistant" : role, parts };
}

/** Results and what the user says with them are one message here, and several in a conversation. */
export function splitResults({ role, parts }: Utterance): Utterance[] {
  const results = parts.filter(({ kind }) => kind === "tool_result");
  const others = parts.filter(({ kind }) => kind !== "tool_result");
  return [
    ...results.map((result) => ({ role: "tool", parts: [result] })),
    ...(others.length > 0 || results.length === 0 ? [{ role, parts: others }] : []),
  ];
}

function messageParts(message: JsonObject): UtterancePart[] {
  const { audio, function_call } = message;
  return [
    ...reasoningOf([message.reasoning_content ?? message.reasoning]),
    ...contentParts(message.content),
    ...textPart("refusal", message.refusal),
    ...(isJsonObject(audio) ? textPart("text", audio.transcript) : []),
    ...(isJsonObject(function_call) ? [toolCall(null, function_call)] : []),
    ...listOf(message.tool_calls).map((call) =>
      isJsonObject(call) ? toolCall(call.id, call.function ?? call.custom) : otherPart(call),
    ),
  ];
}

function contentParts(content: unknown): UtterancePart[] {
  if (!Array.isArray(content)) return textPart("text", content);
  return content.flatMap((part: unknown) => {
    if (typeof part === "string") return textPart("text", part);
    return isJsonObject(part) ? contentPart(part) : [otherPart(part)];
  });
}

/** A part of a message's content; only in Anthropic's API can it be a tool call, a result or thinking. */
function contentPart(part: JsonObject): UtterancePart[] {
  switch (part.type) {
    case "refusal":
      return textPart("refusal", part.refusal);
    case "thinking":
      return textPart("reasoning", part.thinking);
    case "tool_use":
    case "server_tool_use":
      return [toolCall(part.id, part)];
    case "tool_result":
      return [toolResult(part.tool_use_id, part.content, part.is_error === true)];
    case "image_url":
    case "input_image":
    case "image":
      return [imagePart(part)];
    default:
      return typeof part.text === "string" ? textPart("text", part.text) : [otherPart(part)];
  }
}

/** A part of a content of Google's API: of the kind of the member that it has. */
function contentOfPart(part: unknown): UtterancePart[] {
  if (!isJsonObject(part)) return [otherPart(part)];
  const members = objectOf(camelMembers(part));
  const { text, thought, functionCall, functionResponse, inlineData, fileData } = members;
  if (typeof text === "string") return textPart(thought === true ? "reasoning" : "text", text);
  if (isJsonObject(functionCall)) {
    const { id, name, args } = functionCall;
    // Many of its models number no calls: then a result belongs to the call of its name.
    return [toolCall(id ?? name, { name, arguments: args ?? {} })];
  }
  if (isJsonObject(functionResponse)) {
    const { id, name, response } = functionResponse;
    const { output, error } = objectOf(response);
    const isAlone = isJsonObject(response) && Object.keys(response).length === 1;
    const said = isAlone ? (output ?? error ?? response) : response;
    return [toolResult(id ?? name, said, isAlone && error !== undefined)];
  }
  if (isJsonObject(inlineData) && String(inlineData.mimeType).startsWith("image/")) {
    const url = `data:${inlineData.mimeType};base64,${inlineData.data}`;
    return [{ ...otherPart(part), kind: "image", type: "inlineData", url }];
  }
  if (isJsonObject(fileData) && String(fileData.mimeType).startsWith("image/")) {
    const url = String(fileData.fileUri);
    return [{ ...otherPart(part), kind: "image", type: "fileData", url }];
  }
  const [type = "unknown"] = Object.keys(part);
  return [{ ...otherPart(part), type }];
}

function reasoningOf(values: readonly unknown[]): UtterancePart[] {
  return values
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap((value: unknown) => textPart("reasoning", isJsonObject(value) ? value.text : value));
}

function textPart(kind: "text" | "reasoning" | "refusal", text: unknown): UtterancePart[] {
  return typeof text === "string" && text !== "" ? [{ kind, text }] : [];
}

function toolCall(call_id: unknown, called: unknown): UtterancePart {
  const { name, arguments: given, input } = objectOf(called);
  return {
    kind: "tool_call",
    call_id: stringOf(call_id),
    name: stringOf(name) ?? "unknown",
    arguments: asText(given ?? input ?? ""),
  };
}

function toolResult(call_id: unknown, output: unknown, is_error = false): UtterancePart {
  const isContent = typeof output === "string" || Array.isArray(output);
  const parts = isContent ? contentParts(output) : textPart("text", asText(output));
  const texts = parts.map((part) => ("text" in part ? part.text : asText(part)));
  return {
    kind: "tool_result",
    call_id: stringOf(call_id),
    text: texts.join("\n"),
    parts,
    is_error,
  };
}

/** OpenAI's APIs have a URL, Anthropic's a source; a file that the service stores has neither. */
function imagePart(part: JsonObject): UtterancePart {
  const { image_url, source } = part;
  const other = otherPart(part);
  const url = isJsonObject(image_url)
    ? image_url.url
    : isJsonObject(source)
      ? (source.url ?? `data:${source.media_type};base64,${source.data}`)
      : image_url;
  const isKnown = !isJsonObject(source) || source.type === "base64" || source.type === "url";
  return typeof url === "string" && isKnown ? { ...other, kind: "image", url } : other;
}

function otherPart(value: unknown): Extract<UtterancePart, { kind: "other" }> {
  const type = isJsonObject(value) ? stringOf(value.type) : null;
  return { kind: "other", type: type ?? "unknown", json: asText(value) };
}

const stringOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Serializing a value with thousands of levels overflows the stack. */
function asText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "(nested too deeply to be shown)";
  }
}
