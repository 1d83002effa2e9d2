import { apiOf, type Endpoint, endpointsByName } from "@proj/model-apis";
import type { Utterance } from "@proj/model-apis/conversation";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import { ApiError } from "./api-error.ts";
import type { Prompt, Turn } from "./prompt.ts";
import {
  invalidType,
  invalidValue,
  readBoolean,
  readInteger,
  readObjects,
  readString,
  readStrings,
  requireModel,
} from "./request-members.ts";
import { readToys } from "./toys.ts";

/** The bounds of the services, inclusive, under the names that any API has for them. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  max_tokens: [1, 1_000_000],
  max_completion_tokens: [1, 1_000_000],
  max_output_tokens: [1, 1_000_000],
  maxOutputTokens: [1, 1_000_000],
  n: [1, 128],
  candidateCount: [1, 8],
  top_logprobs: [0, 20],
};
const maxStops = { stop: 4, stop_sequences: 100, stopSequences: 5 };

const roles: ReadonlyMap<unknown, Turn["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["model", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
]);

/**
 * @param body with the members that the path says
 * @throws ApiError for whatever the real service refuses too
 */
export function readPrompt(endpoint: Endpoint, body: JsonObject): Prompt {
  const model = requireModel(body);
  checkHistory(endpoint, body);
  checkBounds(body);
  const read = endpoint.readRequest?.(body);
  if (read === undefined) throw new Error(`${endpoint.name} has no conversation`);
  const { conversation, unsupported } = read;
  const unknown = ["response_format", "text.format"].find((name) => unsupported.includes(name));
  if (unknown !== undefined)
    throw invalidType(unknown, "the type text, json_object or json_schema");
  const { sampling, messages, tools, tool_choice, format, stop } = conversation;
  return {
    ...{ model, tools, toolChoice: tool_choice, format },
    turns: messages.map(readTurn),
    choices: sampling.n ?? 1,
    maxTokens: sampling.max_tokens,
    stop: stop.filter((text) => text !== ""),
    topLogprobs: sampling.top_logprobs,
    toys: readToys(body),
  };
}

function checkHistory({ name }: Endpoint, body: JsonObject): void {
  const previous = readString(body, "previous_response_id");
  if (previous !== null) {
    const message = `Previous response '${previous}' not found: this server stores nothing, send the whole input.`;
    throw new ApiError(400, message, "previous_response_id", "previous_response_not_found");
  }
  const api = apiOf[name];
  const history = endpointsByName[api].history ?? "";
  if (api === "responses" && typeof body[history] === "string") return;
  const messages = readObjects(body, history);
  if (messages.length === 0) throw invalidValue(history, "it must not be empty");
  for (const [index, { type = "message", role }] of messages.entries()) {
    const isDefault = api === "generate_content" && role === undefined;
    if (type === "message" && !isDefault && !roles.has(role))
      throw invalidValue(`${history}[${index}].role`, "it must be a role that the API has");
  }
}

function checkBounds(body: JsonObject): void {
  const { generationConfig = {} } = body;
  if (!isJsonObject(generationConfig)) throw invalidType("generationConfig", "an object");
  const members = { ...body, ...generationConfig };
  for (const [name, range] of Object.entries(ranges)) readInteger(members, name, range);
  for (const [name, most] of Object.entries(maxStops)) readStrings(members, name, most);
  const isChat = Array.isArray(body.messages);
  if (isChat && readInteger(body, "top_logprobs", [0, 20]) !== null)
    if (!readBoolean(body, "logprobs"))
      throw invalidValue("top_logprobs", "it needs 'logprobs' to be true");
}

function readTurn({ role, parts }: Utterance): Turn {
  const textOf = (kind: "text" | "reasoning" | "tool_result"): string =>
    parts.map((part) => (part.kind === kind ? part.text : "")).join("");
  return {
    role: roles.get(role) ?? "user",
    text: textOf("text") + textOf("tool_result"),
    thinking: textOf("reasoning"),
    calls: parts.filter((part) => part.kind === "tool_call"),
  };
}
