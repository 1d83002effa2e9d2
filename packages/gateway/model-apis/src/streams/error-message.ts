import { isJsonObject } from "../json/json-object.ts";

/** The message of an event that is called `error`, whose data may be the error or have it. */
export function eventError(data: unknown): string {
  return errorMessage(isJsonObject(data) && data.error ? data.error : data);
}

/** The message of an error that arrived as stream data. */
export function errorMessage(error: unknown): string {
  const message = isJsonObject(error) ? error.message : error;
  return typeof message === "string" && message !== ""
    ? message
    : "the upstream sent an error without a message in its stream";
}
