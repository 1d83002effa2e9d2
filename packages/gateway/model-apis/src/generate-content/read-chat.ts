import { type ChatRequest, NotSupportedByEngine } from "../chat.ts";
import { chatMembers, chatReader, chatTools } from "../chat-reader.ts";
import { type JsonObject, objectOf, objectsOf } from "../json/json-object.ts";
import { readContentRequest } from "./content-request.ts";

const read = chatReader(readContentRequest, {
  refused: ["cachedContent", "cached_content"],
  withoutEffect: ["labels", "safetySettings", "safety_settings"],
  variables: ({ generationConfig }) => {
    const { thinkingConfig } = objectOf(generationConfig);
    const { thinkingLevel, thinkingBudget } = objectOf(thinkingConfig);
    return {
      ...(typeof thinkingLevel === "string"
        ? { reasoning_effort: thinkingLevel.toLowerCase() }
        : {}),
      ...(thinkingBudget === 0 ? { enable_thinking: false } : {}),
    };
  },
  members: (_request, conversation) => chatMembers(conversation),
  tools: chatTools,
});

/**
 * Reads a request of Google's API.
 * @throws NotSupportedByEngine
 */
export function readChat(request: JsonObject): ChatRequest {
  const { generationConfig, tools } = request;
  const { candidateCount } = objectOf(generationConfig);
  if (typeof candidateCount === "number" && candidateCount > 1)
    throw new NotSupportedByEngine("generationConfig.candidateCount", "several candidates");
  // All but functions run at Google.
  for (const [at, tool] of objectsOf(tools).entries())
    for (const name of Object.keys(tool))
      if (name !== "functionDeclarations")
        throw new NotSupportedByEngine(`tools[${at}].${name}`, `'${name}'`);
  return read(request);
}
