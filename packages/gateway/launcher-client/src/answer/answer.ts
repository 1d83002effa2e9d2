import type { SecretMask } from "@proj/gateway-protocol";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import { AnswerFailure } from "./answer-failure.ts";
import { shorten } from "./shorten.ts";

/** What a function, a command or an endpoint answered. */
export interface Answer {
  /** JSON, without secrets. */
  readonly value: unknown;
  /** The rest of what it printed, for messages. */
  readonly last_output: string | null;
}

/** @throws AnswerFailure the text is not JSON */
export function parseAnswer(text: string, mask: SecretMask, last_output: string | null): Answer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const shown = shorten(mask.apply(text));
    const message =
      shown === "" ? "answered nothing" : `answered something that is not JSON: ${shown}`;
    throw new AnswerFailure("bad_result", message, last_output);
  }
  return jsonAnswer(value, mask, last_output);
}

/**
 * The value as JSON, with every string in it masked.
 * @throws AnswerFailure it is not JSON, or is nested too deeply to be serialized
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
    // Undefined for values that JSON cannot express, whatever the type says.
    const text: string | undefined = JSON.stringify(value, copy);
    if (text !== undefined) return { value: JSON.parse(text), last_output };
  } catch (error) {
    const message = `answered something that JSON cannot hold: ${shorten(mask.apply(reasonOf(error)))}`;
    throw new AnswerFailure("bad_result", message, last_output);
  }
  throw new AnswerFailure("bad_result", `answered ${typeof value} instead of JSON`, last_output);
}

/** A value from an answer, for messages. */
export const show = (value: unknown): string => shorten(JSON.stringify(value));

/** Serializing a value with thousands of levels overflows the stack. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}

/** Returns the object itself when no name changes: copying a circular object would never end. */
function withMaskedNames(object: JsonObject, mask: SecretMask): JsonObject {
  const members = Object.entries(object);
  if (members.every(([name]) => mask.apply(name) === name)) return object;
  return Object.fromEntries(members.map(([name, inner]) => [mask.apply(name), inner]));
}
