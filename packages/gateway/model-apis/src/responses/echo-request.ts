import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const isObjects: Check = (value) => Array.isArray(value) && value.every(isJsonObject);

/**
 * What a response object repeats from its request: the type that a member must have, and the value used
 * otherwise.
 */
const echoed: readonly (readonly [name: string, check: Check, fallback: unknown])[] = [
  ["background", isBoolean, false],
  ["instructions", isString, null],
  ["max_output_tokens", isNumber, null],
  ["max_tool_calls", isNumber, null],
  ["metadata", isJsonObject, {}],
  ["parallel_tool_calls", isBoolean, true],
  ["previous_response_id", isString, null],
  ["prompt", isJsonObject, null],
  ["prompt_cache_key", isString, null],
  ["safety_identifier", isString, null],
  ["service_tier", isString, "default"],
  ["store", isBoolean, true],
  ["temperature", isNumber, 1],
  ["tool_choice", (value) => isString(value) || isJsonObject(value), "auto"],
  ["tools", isObjects, []],
  ["top_logprobs", isNumber, 0],
  ["top_p", isNumber, 1],
  ["truncation", isString, "disabled"],
  ["user", isString, null],
];

/** The members of a response object that come from its request, with the API's defaults. */
export function echoRequest(request: JsonObject): JsonObject {
  const plain = echoed.map(([name, check, fallback]) => {
    const value = request[name];
    return [name, check(value) ? value : fallback];
  });
  const reasoning = objectOf(request.reasoning);
  const text = objectOf(request.text);
  const format = isJsonObject(text.format) ? text.format : { type: "text" };
  return {
    ...Object.fromEntries(plain),
    reasoning: { effort: null, summary: null, ...reasoning },
    text: { verbosity: "medium", ...text, format },
  };
}
