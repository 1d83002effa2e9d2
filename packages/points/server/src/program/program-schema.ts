import type { JsonSchema } from "@proj/program/configuration";
import { isPlainAddress } from "./address.ts";

/** The names appear in Ajv's errors. */
export const programFormats: Readonly<Record<string, (text: string) => boolean>> = {
  "decimal integer": (text) => /^(0|[1-9]\d{0,77})$/.test(text),
  "Unix seconds": (text) => /^(0|[1-9]\d{0,14})$/.test(text),
  "1 to 128 characters A-Z a-z 0-9 . _ -": isPlainAddress,
  "regular expression": isRegularExpression,
  "http(s) URL": (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
};

const address: JsonSchema = { type: "string", format: "1 to 128 characters A-Z a-z 0-9 . _ -" };
const integer: JsonSchema = { type: "string", format: "decimal integer" };
const time: JsonSchema = { type: "string", format: "Unix seconds" };

/** JSON Schema of a `Program`; its formats are `programFormats`. */
export const programSchema: JsonSchema = object(
  {
    network: address,
    addressPattern: { type: "string", format: "regular expression" },
    addressCase: { type: "string", enum: ["exact", "lower"] },
    clockTolerance: { type: "integer", minimum: 0, maximum: 3_600 },
    refreshTime: { type: "integer", minimum: 1, maximum: 86_400 },
    pointsDecimal: { type: "integer", minimum: 0, maximum: 38 },
    pointsPerUsd: integer,
    swapMultiplier: integer,
    swapPairs: { type: "array", items: object({ tokenX: address, tokenY: address }) },
    swapPriceMaxAge: { type: "integer", minimum: 1, maximum: 604_800 },
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
    rateChanges: {
      type: "array",
      items: object(
        {
          ...{ startTimestamp: time, pointsPerUsd: integer, swapMultiplier: integer },
          swapPairs: { type: "array", items: object({ tokenX: address, tokenY: address }) },
        },
        ["pointsPerUsd", "swapMultiplier", "swapPairs"],
      ),
    },
    seasons: {
      type: "array",
      maxItems: 100,
      items: object({ name: address, startTimestamp: time, endTimestamp: time }, ["endTimestamp"]),
    },
    historyDays: { type: "integer", minimum: 0, maximum: 90 },
    ranking: object({ ties: { type: "string", enum: ["order", "shared"] } }, ["ties"]),
    quest: object({
      threshold: integer,
      questProvider: { type: "string" },
      questProviderUrl: { type: "string", format: "http(s) URL" },
    }),
  },
  [
    "addressPattern",
    "addressCase",
    "clockTolerance",
    "rateChanges",
    "seasons",
    "swapPriceMaxAge",
    "historyDays",
    "ranking",
  ],
);

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
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
