import type { JsonSchema } from "@proj/program/configuration";

/** US dollars per million tokens. It limits the cost of one call, so that costs stay exact. */
const maxPrice = 1_000_000;

const amount = (description: string): JsonSchema => ({
  description,
  type: "number",
  minimum: 0,
  maximum: maxPrice,
});

const otherPrice = (description: string): JsonSchema => ({
  ...amount(description),
  type: ["number", "null"],
});

/** These are filled in, so that every price has them. */
const withDefault = (schema: JsonSchema): JsonSchema => ({ ...schema, default: null });

const tokenPrices: Readonly<Record<string, JsonSchema>> = {
  input: amount("Prompt tokens that were not in a cache."),
  cached_input: otherPrice("Tokens of the prompt that the upstream's cache had; null: as input."),
  cache_write: otherPrice("Tokens of the prompt written to that cache; null: as input."),
  cache_write_30m: otherPrice("Those that are kept for 30 minutes; null: as cache_write."),
  cache_write_1h: otherPrice("Those that are kept for an hour; null: as cache_write."),
  cache_write_12h: otherPrice("Those that are kept for 12 hours; null: as cache_write."),
  output: amount("Tokens of the answer."),
  reasoning: otherPrice("Tokens of the answer that are reasoning; null: as output."),
};

const prices = (
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  description,
  type: "object",
  additionalProperties: false,
  required: ["input", "output"],
  properties,
});

const longContext: JsonSchema = {
  description:
    "Prices of calls with long prompts, for all their tokens; of several the one with the largest above.",
  type: "array",
  items: {
    ...prices("Prices of a call whose whole prompt has more than above tokens.", {
      above: { description: "Tokens of the whole prompt.", type: "integer", minimum: 0 },
      ...tokenPrices,
    }),
    required: ["above", "input", "output"],
  },
};

const tiered = (description: string): JsonSchema =>
  prices(description, { ...tokenPrices, long_context: longContext });

const { cached_input, cache_write, reasoning } = tokenPrices;

const price: JsonSchema = prices("US dollars per million tokens, to the millionth of a dollar.", {
  from: {
    description:
      "The day, in UTC, from which on the price holds, such as 2026-01-31; null: it held before every other.",
    type: ["string", "null"],
    format: "date",
    default: null,
  },
  ...tokenPrices,
  cached_input: withDefault(cached_input ?? {}),
  cache_write: withDefault(cache_write ?? {}),
  reasoning: withDefault(reasoning ?? {}),
  long_context: longContext,
  service_tiers: {
    description:
      "Prices by the service_tier, speed or inference_geo that an answer names, such as priority, flex, batch or fast.",
    type: "object",
    additionalProperties: tiered("Prices of that tier."),
  },
  advisor: {
    ...tiered("Prices of the model that an advisor tool asks; null: as the route's own."),
    type: ["object", "null"],
  },
  server_tools: {
    description:
      "US dollars per thousand calls of tools that the upstream runs itself, such as web_search, file_search or code_interpreter.",
    type: "object",
    additionalProperties: amount("US dollars per thousand calls."),
  },
});

export const pricesSchema: JsonSchema = {
  description:
    "Token prices in US dollars per million, by which the cost of each step is recorded. Empty: costs are not known.",
  type: "array",
  items: price,
  default: [],
};
