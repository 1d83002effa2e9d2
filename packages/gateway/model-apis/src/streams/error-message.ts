import { isJsonObject } from "../json/json-object.ts";

/** The message of an error that arrived as stream data. */
export function errorMessage(error: unknown): string {
  const message = isJsonObject(error) ? error.message : error;
  return typeof message === "string" && message !== ""
    ? message
    : "the upstream sent an error without a message in its stream";
}
