import type { SchemaObject } from "ajv/dist/2020.js";
import { isPlainAddress } from "./address.ts";

/** Ajv's errors show their names. */
export const programFormats: Readonly<Record<string, (text: string) => boolean>> = {
  "decimal integer": (text) => /^(0|[1-9]\d{0,77})$/.test(text),
  "Unix seconds": (text) => /^(0|[1-9]\d{0,14})$/.test(text),
  "1 to 128 characters A-Z a-z 0-9 . _ -": isPlainAddress,
  "regular expression": isRegularExpression,
  "http(s) URL": (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
};

const address = { type: "string", format: "1 to 128 characters A-Z a-z 0-9 . _ -" };
const integer = { type: "string", format: "decimal integer" };
const time = { type: "string", format: "Unix seconds" };

/** JSON Schema of a `Program`; its formats are `programFormats`. */
export const programSchema: SchemaObject = object(
  {
    network: address,
    addressPattern: { type: "string", format: "regular expression" },
    refreshTime: { type: "integer", minimum: 1, maximum: 86_400 },
    pointsDecimal: { type: "integer", minimum: 0, maximum: 38 },
    pointsPerUsd: integer,
    swapMultiplier: integer,
    swapPairs: { type: "array", items: object({ tokenX: address, tokenY: address }) },
    promotedPools: {
      type: "array",
      items: object(
        {
          address,
          pointsPerSecond: integer,
          startCountTimestamp: time,
          endCountTimestamp: time,
        },
        ["endCountTimestamp"],
      ),
    },
    quest: object({
      threshold: integer,
      questProvider: { type: "string" },
      questProviderUrl: { type: "string", format: "http(s) URL" },
    }),
  },
  ["addressPattern"],
);

function object(
  properties: Readonly<Record<string, SchemaObject>>,
  optional: readonly string[] = [],
): SchemaObject {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(`^(?:${text})$`, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
