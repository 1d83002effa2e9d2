import { isJsonObject } from "../json/json-object.ts";

/** The message of an error that came as data of a stream. */
export function errorMessage(error: unknown): string {
  const message = isJsonObject(error) ? error.message : error;
  return typeof message === "string" && message !== ""
    ? message
    : "the upstream sent an error without a message in its stream";
}
