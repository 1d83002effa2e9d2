import type { SecretMask } from "@proj/gateway-protocol";
import { AnswerFailure } from "./answer-failure.ts";
import { shorten } from "./shorten.ts";

/** What a function, a command or an endpoint answered. */
export interface Answer {
  /** JSON, without secrets. */
  readonly value: unknown;
  /** What else it printed, for messages. */
  readonly last_output: string | null;
}

/** @throws AnswerFailure the text is not JSON */
export function parseAnswer(text: string, mask: SecretMask, last_output: string | null): Answer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const shown = shorten(mask.apply(text));
    const message = shown === "" ? "answered nothing" : `answered what is not JSON: ${shown}`;
    throw new AnswerFailure("bad_result", message, last_output);
  }
  return jsonAnswer(value, mask, last_output);
}

/**
 * A value as JSON holds it, every string in it masked.
 * @throws AnswerFailure it is not JSON, or nested so deeply that it could not be written again
 */
export function jsonAnswer(value: unknown, mask: SecretMask, last_output: string | null): Answer {
  const copy = (name: string, inner: unknown): unknown => {
    if (typeof inner === "string") return mask.apply(inner);
    if (typeof inner === "number" && !Number.isFinite(inner)) {
      throw new TypeError(`${inner}${name === "" ? "" : ` as ${JSON.stringify(name)}`}`);
    }
    return mask.longest > 0 && isJsonObject(inner) ? withMaskedNames(inner, mask) : inner;
  };
  try {
    // Undefined for what JSON has no word for, whatever the type says.
    const text: string | undefined = JSON.stringify(value, copy);
    if (text !== undefined) return { value: JSON.parse(text), last_output };
  } catch (error) {
    const message = `answered what JSON cannot hold: ${shorten(mask.apply(reasonOf(error)))}`;
    throw new AnswerFailure("bad_result", message, last_output);
  }
  throw new AnswerFailure("bad_result", `answered ${typeof value} instead of JSON`, last_output);
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value of an answer, for messages. */
export const show = (value: unknown): string => shorten(JSON.stringify(value));

/** The stack overflows, where a value is nested by the thousands. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}

/** The object itself where it can be: a copy of a circle would have no end. */
function withMaskedNames(object: JsonObject, mask: SecretMask): JsonObject {
  const members = Object.entries(object);
  if (members.every(([name]) => mask.apply(name) === name)) return object;
  return Object.fromEntries(members.map(([name, inner]) => [mask.apply(name), inner]));
}
