import { camelMembers } from "../conversation/camel-members.ts";
import type {
  AnswerFormat,
  Conversation,
  ReadRequest,
  Tool,
  ToolChoice,
} from "../conversation/conversation.ts";
import { joinTurns, type SamplingNames, Unsupported } from "../conversation/read-members.ts";
import { readUtterance, splitResults } from "../conversation/utterance.ts";
import { isJsonObject, type JsonObject, listOf, objectOf } from "../json/json-object.ts";
import { plainSchema } from "./plain-schema.ts";
import { systemInstruction } from "./system-instruction.ts";

export const samplingNames: SamplingNames = {
  temperature: "temperature",
  top_p: "topP",
  top_k: "topK",
  frequency_penalty: "frequencyPenalty",
  presence_penalty: "presencePenalty",
  seed: "seed",
  max_tokens: "maxOutputTokens",
  n: "candidateCount",
};

const knownMembers = ["contents", "systemInstruction", "tools", "toolConfig", "generationConfig"];
const knownConfig = [
  ...Object.values(samplingNames),
  ...["stopSequences", "responseMimeType", "responseSchema", "responseJsonSchema"],
  ...["responseLogprobs", "logprobs", "thinkingConfig"],
];
const knownParts = [
  "text",
  "thought",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
];

/** @param given without the model and whether it streams, which the path says */
export function readContentRequest(given: JsonObject): ReadRequest {
  const body = objectOf(camelMembers(given));
  const unsupported = new Unsupported();
  unsupported.members(body, knownMembers);
  const config = objectOf(body.generationConfig);
  const path = "generationConfig.";
  unsupported.members(config, knownConfig, path);
  const thinking = unsupported.object(config, "thinkingConfig", path) ?? {};
  unsupported.members(thinking, ["thinkingLevel", "includeThoughts"], `${path}thinkingConfig.`);
  const system = systemInstruction(body);
  if (system === null && body.systemInstruction != null)
    unsupported.addMalformed("systemInstruction");
  const said = system && readUtterance({ role: "system", parts: system.parts });
  const level = unsupported.text(thinking, "thinkingLevel", `${path}thinkingConfig.`);
  const tools = unsupported.objects(body, "tools").flatMap((tool) => readTools(tool, unsupported));
  const conversation: Conversation = {
    model: "",
    messages: [
      ...(said === null || said.parts.length === 0 ? [] : [said]),
      ...joinTurns(
        unsupported.objects(body, "contents").flatMap((content) => {
          nameUnknown(content, unsupported);
          return splitResults(readUtterance({ ...content, role: content.role ?? "user" }));
        }),
      ),
    ],
    tools,
    tool_choice: readToolChoice(body.toolConfig, tools, unsupported),
    parallel_tool_calls: null,
    sampling: {
      ...unsupported.sampling(config, samplingNames, path),
      top_logprobs:
        config.responseLogprobs === true ? (unsupported.number(config, "logprobs") ?? 0) : null,
    },
    stop: unsupported.texts(config, "stopSequences", path),
    format: readFormat(config, unsupported),
    reasoning_effort: level?.toLowerCase() ?? null,
    stream: false,
    stream_usage: true,
  };
  const { names, malformed } = unsupported;
  return { conversation, unsupported: names, malformed };
}

/** A part is of the kind of the member that it has. */
function nameUnknown(content: JsonObject, unsupported: Unsupported): void {
  unsupported.members(content, ["role", "parts"], "contents[].");
  for (const part of unsupported.objects(content, "parts"))
    unsupported.members(part, knownParts, "contents[].parts[].");
}

function readTools(
  { functionDeclarations, ...other }: JsonObject,
  unsupported: Unsupported,
): Tool[] {
  unsupported.members(other, [], "tools[].");
  const declared = unsupported.objects({ functionDeclarations }, "functionDeclarations");
  return declared.flatMap((tool) => {
    const path = "tools[].functionDeclarations[].";
    unsupported.members(tool, ["name", "description", "parameters", "parametersJsonSchema"], path);
    const name = unsupported.text(tool, "name", path);
    if (name === null) return [];
    const { parameters, parametersJsonSchema = parameters } = tool;
    const description = unsupported.text(tool, "description", path);
    const schema = isJsonObject(parametersJsonSchema) ? plainSchema(parametersJsonSchema) : null;
    return [{ name, description, parameters: schema, strict: null }];
  });
}

function readToolChoice(
  config: unknown,
  tools: readonly Tool[],
  unsupported: Unsupported,
): ToolChoice {
  unsupported.members(config, ["functionCallingConfig"], "toolConfig.");
  const calling = objectOf(objectOf(config).functionCallingConfig);
  const { mode = "AUTO", allowedFunctionNames } = calling;
  const allowed = listOf(allowedFunctionNames);
  const isFree = allowed.length === 0 || tools.every(({ name }) => allowed.includes(name));
  const [name, ...others] = allowed;
  if (mode === "NONE") return "none";
  if (mode === "ANY" && typeof name === "string" && others.length === 0) return { name };
  if (mode === "ANY" && isFree) return "required";
  // Calls are then checked against their schemas.
  if (mode === "VALIDATED") unsupported.add("toolConfig.functionCallingConfig.mode");
  else if (mode !== "AUTO" && mode !== "MODE_UNSPECIFIED") unsupported.addMalformed("toolConfig");
  if (!isFree) unsupported.addMalformed("toolConfig");
  return "auto";
}

function readFormat(
  { responseMimeType, responseSchema, responseJsonSchema = responseSchema }: JsonObject,
  unsupported: Unsupported,
): AnswerFormat {
  if (responseMimeType !== "application/json") {
    if ((responseMimeType ?? "text/plain") !== "text/plain")
      unsupported.addMalformed("generationConfig.responseMimeType");
    return { kind: "text" };
  }
  if (!isJsonObject(responseJsonSchema)) return { kind: "json_object" };
  const schema = plainSchema(responseJsonSchema);
  return { kind: "json_schema", name: "answer", schema, strict: null };
}
