import { plainSchema } from "@proj/model-apis";
import { isJsonObject, type JsonObject, objectOf } from "@proj/model-apis/json";

/**
 * Tools in the form of chat completions, whichever API they were offered in; null where there is none. What
 * an upstream runs itself and has no name, such as a web search, is left out.
 */
export function functionsOf(tools: unknown): readonly JsonObject[] | null {
  const offered: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const functions = offered
    .filter(isJsonObject)
    .flatMap(functionsIn)
    .map(functionOf)
    .filter((tool) => tool !== null);
  return functions.length === 0 ? null : functions;
}

/** A tool of Google's API and a namespace of the Responses API each hold several. */
function functionsIn(tool: JsonObject): readonly JsonObject[] {
  const { functionDeclarations, type, tools } = tool;
  if (Array.isArray(functionDeclarations))
    return functionDeclarations
      .filter(isJsonObject)
      .map(({ parameters, parametersJsonSchema, ...declared }) => {
        const schema = parametersJsonSchema ?? parameters;
        return isJsonObject(schema) ? { ...declared, parameters: plainSchema(schema) } : declared;
      });
  return type === "namespace" && Array.isArray(tools) ? tools.filter(isJsonObject) : [tool];
}

function functionOf(tool: JsonObject): JsonObject | null {
  if (isJsonObject(tool.function)) return { type: "function", function: tool.function };
  // A custom tool of chat completions has its members one level further down, like a function.
  const { name, description, parameters, input_schema, strict } = isJsonObject(tool.custom)
    ? tool.custom
    : tool;
  if (typeof name !== "string") return null;
  const members = { description, parameters: parameters ?? input_schema, strict };
  const given = Object.entries(members).filter(([, value]) => value != null);
  return { type: "function", function: { name, ...Object.fromEntries(given) } };
}

/** LLaMA-Factory and some chat templates read the description and the properties of every tool. */
export function withParameters(tool: JsonObject): JsonObject {
  const described = objectOf(tool.function);
  const { parameters } = described;
  const given = objectOf(parameters);
  const object = { type: "object", ...given, properties: given.properties ?? {} };
  return { ...tool, function: { description: "", ...described, parameters: object } };
}
