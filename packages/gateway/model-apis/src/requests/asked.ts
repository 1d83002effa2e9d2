import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** The APIs' own bound for `n`. */
const maxChoices = 128;

/** What a request asks of the form of its answer, in any API's form. */
export interface Asked {
  /** How many choices, at least 1. */
  readonly choices: number;
  /** The answer must be JSON. */
  readonly json: boolean;
  /** A stream of choices must end with a chunk of usage. */
  readonly usage: boolean;
}

/** @param request its members, perhaps without its history */
export function readAsked(request: JsonObject): Asked {
  const { n, response_format, text, stream_options } = request;
  const format = response_format ?? (isJsonObject(text) ? text.format : null);
  return {
    choices: Number.isInteger(n) ? Math.min(Math.max(Number(n), 1), maxChoices) : 1,
    json: isJsonObject(format) && (format.type === "json_schema" || format.type === "json_object"),
    usage: isJsonObject(stream_options) && stream_options.include_usage === true,
  };
}
