import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** The APIs' own bound for `n`. */
const mostChoices = 128;

/** One index for each of the `n` choices that a request asks for. */
export function choiceIndices({ n }: JsonObject): readonly number[] {
  const count = Number.isInteger(n) ? Math.min(Math.max(Number(n), 1), mostChoices) : 1;
  return Array.from({ length: count }, (_, index) => index);
}

/** Whether a stream must end with a chunk of usage. */
export function asksForUsage({ stream_options }: JsonObject): boolean {
  return isJsonObject(stream_options) && stream_options.include_usage === true;
}
