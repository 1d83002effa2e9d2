import type { JsonSchema } from "@proj/program/configuration";

/** US dollars per million tokens. It limits the cost of one call, so that costs stay exact. */
const largestPrice = 1_000_000;

const otherPrice = (description: string): JsonSchema => ({
  description,
  type: ["number", "null"],
  minimum: 0,
  maximum: largestPrice,
  default: null,
});

const price: JsonSchema = {
  description: "US dollars per million tokens, to the millionth of a dollar.",
  type: "object",
  additionalProperties: false,
  required: ["input", "output"],
  properties: {
    from: {
      description:
        "The day, in UTC, from which on the price holds, such as 2026-01-31; null: it held before every other.",
      type: ["string", "null"],
      format: "date",
      default: null,
    },
    input: {
      description: "Prompt tokens that were not in a cache.",
      type: "number",
      minimum: 0,
      maximum: largestPrice,
    },
    cached_input: otherPrice("Tokens of the prompt that the upstream's cache had; null: as input."),
    cache_write: otherPrice("Tokens of the prompt written to that cache; null: as input."),
    output: {
      description: "Tokens of the answer.",
      type: "number",
      minimum: 0,
      maximum: largestPrice,
    },
    reasoning: otherPrice("Tokens of the answer that are reasoning; null: as output."),
  },
};

export const pricesSchema: JsonSchema = {
  description:
    "Token prices in US dollars per million, by which the cost of each step is recorded. Empty: costs are not known.",
  type: "array",
  items: price,
  default: [],
};
