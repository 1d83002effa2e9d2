import { isJsonObject, type JsonObject, objectsOf } from "./json-object.ts";
import type { Prompt, Tool, Turn } from "./prompt.ts";
import {
  invalidType,
  invalidValue,
  readInteger,
  readObjects,
  readStrings,
  requireModel,
  textOfContent,
} from "./request-members.ts";
import { noToys } from "./toys.ts";

/**
 * @param body Google's `GenerateContentRequest`, with the model of its path
 * @throws ApiError for whatever the real service refuses too
 */
export function readContentRequest(body: JsonObject): Prompt {
  const model = requireModel(body);
  const contents = readObjects(body, "contents").flatMap(readContent);
  if (contents.length === 0) throw invalidValue("contents", "it must not be empty");
  const config = objectIn(body, "generationConfig");
  const system = textOfContent(objectIn(body, "systemInstruction").parts, "systemInstruction");
  const schema = config.responseJsonSchema ?? config.responseSchema;
  const isJson = config.responseMimeType === "application/json";
  const json: Prompt["format"] =
    schema === undefined
      ? { kind: "json_object" }
      : { kind: "json_schema", schema: inLowerCase(schema) };
  return {
    model,
    turns: system === "" ? contents : [{ role: "system", text: system }, ...contents],
    tools: readObjects(body, "tools")
      .flatMap(({ functionDeclarations }) => objectsOf(functionDeclarations))
      .map(readTool),
    toolChoice: readToolChoice(objectIn(objectIn(body, "toolConfig"), "functionCallingConfig")),
    format: isJson ? json : { kind: "text" },
    choices: readInteger(config, "candidateCount", [1, 8]) ?? 1,
    maxTokens: readInteger(config, "maxOutputTokens", [1, 1_000_000]),
    stop: readStrings(config, "stopSequences", 5),
    toys: noToys,
    topLogprobs: null,
  };
}

/** Results of functions become separate turns, as in the other APIs. */
function readContent({ role = "user", parts }: JsonObject, index: number): readonly Turn[] {
  const param = `contents[${index}]`;
  if (role !== "user" && role !== "model") throw invalidValue(`${param}.role`, "use user or model");
  const results = objectsOf(parts).flatMap(({ functionResponse }): Turn[] =>
    isJsonObject(functionResponse)
      ? [{ role: "tool", text: outputOf(functionResponse.response) }]
      : [],
  );
  const calls = objectsOf(parts).map(({ functionCall }) =>
    isJsonObject(functionCall)
      ? `${functionCall.name}${JSON.stringify(functionCall.args ?? {})}`
      : "",
  );
  const text = textOfContent(parts, `${param}.parts`) + calls.join("");
  if (text === "" && results.length > 0) return results;
  return [...results, { role: role === "model" ? "assistant" : "user", text }];
}

/** A text alone is what the tool returned; Google's API has no other place for it. */
function outputOf(response: unknown): string {
  const { output, ...others } = isJsonObject(response) ? response : {};
  const isAlone = typeof output === "string" && Object.keys(others).length === 0;
  return isAlone ? output : JSON.stringify(response ?? {});
}

function readTool({ name, parameters, parametersJsonSchema }: JsonObject, index: number): Tool {
  if (typeof name !== "string")
    throw invalidType(`tools.functionDeclarations[${index}].name`, "a string");
  return { name, parameters: parametersJsonSchema ?? inLowerCase(parameters) };
}

function readToolChoice({ mode, allowedFunctionNames }: JsonObject): Prompt["toolChoice"] {
  if (mode === "NONE") return "none";
  if (mode !== "ANY") return "auto";
  const [only] = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
  return typeof only === "string" ? [only] : "required";
}

/** Google's own schemas name types in capitals. */
function inLowerCase(schema: unknown): unknown {
  const json = JSON.stringify(schema ?? { type: "object" });
  return JSON.parse(json, (name, value: unknown) =>
    name === "type" && typeof value === "string" ? value.toLowerCase() : value,
  );
}

function objectIn(body: JsonObject, name: string): JsonObject {
  const value = body[name] ?? {};
  if (!isJsonObject(value)) throw invalidType(name, "an object");
  return value;
}
