import { type ChatRequest, NotSupportedByEngine } from "../chat.ts";
import { chatMembers, chatReader, chatTools } from "../chat-reader.ts";
import { camelMembers } from "../conversation/camel-members.ts";
import { type JsonObject, listOf, objectOf, objectsOf } from "../json/json-object.ts";
import { readContentRequest } from "./content-request.ts";

const read = chatReader(readContentRequest, {
  refused: ["cachedContent"],
  withoutEffect: ["labels", "safetySettings"],
  variables: ({ generationConfig }) => {
    const { thinkingLevel, thinkingBudget } = readThinking(generationConfig);
    return {
      ...(typeof thinkingLevel === "string"
        ? { reasoning_effort: thinkingLevel.toLowerCase() }
        : {}),
      ...(thinkingBudget === 0 ? { enable_thinking: false } : {}),
    };
  },
  isExpressed: (name, { generationConfig }) =>
    name === budget && readThinking(generationConfig).thinkingBudget === 0,
  members: (_request, conversation) => chatMembers(conversation),
  tools: chatTools,
  toolChoice: "toolConfig",
});

/**
 * Reads a request of Google's API.
 * @throws NotSupportedByEngine
 */
export function readChat(given: JsonObject): ChatRequest {
  const request = objectOf(camelMembers(given));
  const config = objectOf(request.generationConfig);
  const { candidateCount, responseModalities, responseLogprobs } = config;
  if (typeof candidateCount === "number" && candidateCount > 1)
    throw new NotSupportedByEngine("generationConfig.candidateCount", "several candidates");
  const unanswered = {
    responseModalities: listOf(responseModalities).some((it) => it !== "TEXT"),
    responseLogprobs: responseLogprobs === true,
    speechConfig: config.speechConfig != null,
    imageConfig: config.imageConfig != null,
  };
  for (const [name, isAsked] of Object.entries(unanswered))
    if (isAsked) throw new NotSupportedByEngine(`generationConfig.${name}`);
  const { tools } = request;
  // All but functions run at Google.
  for (const [at, tool] of objectsOf(tools).entries())
    for (const name of Object.keys(tool))
      if (name !== "functionDeclarations")
        throw new NotSupportedByEngine(`tools[${at}].${name}`, `'${name}'`);
  return read(request);
}

const budget = "generationConfig.thinkingConfig.thinkingBudget";

const readThinking = (config: unknown): JsonObject => objectOf(objectOf(config).thinkingConfig);
