import { type JsonObject, parsedObject } from "../json/json-object.ts";
import type { RequestBody } from "./request-body.ts";

/** Longest body, without its history, that is parsed: deep nesting makes JSON.parse and stringify slow. */
const maxParsedBytes = 256 * 1024;

/**
 * The members of a request's body with the history set to null: the history is most of the body, and no
 * answer repeats it. Empty if the rest is too long or cannot be parsed.
 */
export function parseBesidesHistory(body: RequestBody): JsonObject {
  const { bytes, messages_start, messages_end } = body;
  if (bytes.length - (messages_end - messages_start) > maxParsedBytes) return {};
  const text =
    messages_end === 0
      ? bytes.toString()
      : `${bytes.toString("utf8", 0, messages_start)}null${bytes.toString("utf8", messages_end)}`;
  return parsedObject(text);
}
