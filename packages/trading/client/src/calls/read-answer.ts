import { RefusalError } from "../errors/refusal-error.ts";
import { isJsonObject, type JsonObject, parseJsonObjects } from "../reading/json-objects.ts";

type Refused = Pick<RefusalError, "code" | "message" | "parameters">;

/**
 * The members of an answer in any of its forms: with the envelope, with bare flags, or as several
 * objects in a row. In the latter two, the members of `data` may be at the top level.
 * @param request for errors: method and path
 * @throws RefusalError `executed` is false, or the answer is an error object
 * @throws Error the answer cannot be parsed
 */
export function readAnswer(text: string, request: string): JsonObject {
  const answer = parseJsonObjects(text);
  const refused = readRefusal(answer);
  if (refused !== null) throw new RefusalError(request, { ...refused, answer });
  if (envelopeOf(answer).executed !== true) {
    throw new TypeError(`it does not say whether the request was executed: ${text.slice(0, 100)}`);
  }
  return answer;
}

/** Why the server refused; null: it did not refuse. */
function readRefusal(answer: JsonObject): Refused | null {
  const { executed, error } = envelopeOf(answer);
  if (executed === true) return null;
  const bare = readErrorObject(answer);
  if (executed === undefined) return bare;
  const text = typeof error === "string" ? error : "";
  const message = text === "" ? "The server refused the request and gave no reason" : text;
  const parsed = readErrorObject(typeof error === "string" ? parseObject(error) : error);
  return parsed ?? bare ?? { code: null, message, parameters: [] };
}

function envelopeOf(answer: JsonObject): JsonObject {
  return isJsonObject(answer.response) ? answer.response : answer;
}

/** docs/interfaces.md, "Trading: errors", 1. */
function readErrorObject(value: unknown): Refused | null {
  if (!isJsonObject(value)) return null;
  const { code, message, parameters = [] } = value;
  if (typeof code !== "number" || typeof message !== "string" || !Array.isArray(parameters)) {
    return null;
  }
  return { code, message, parameters: parameters.filter(isParameter) };
}

function isParameter(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
