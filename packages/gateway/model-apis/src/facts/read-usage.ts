import { parseJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import type { ObjectFacts } from "./object-facts.ts";
import {
  billedApart,
  type CacheLifetime,
  countsOf,
  type TokenCounts,
  tokenCount,
  unknownCounts,
} from "./token-counts.ts";

/** The names that OpenAI's APIs give to the token counts of prompt and answer. */
export interface UsageNames {
  readonly prompt: string;
  readonly promptDetails: string;
  readonly completion: string;
  readonly completionDetails: string;
}

export const choiceUsage: UsageNames = {
  prompt: "prompt_tokens",
  promptDetails: "prompt_tokens_details",
  completion: "completion_tokens",
  completionDetails: "completion_tokens_details",
};

export const responseUsage: UsageNames = {
  prompt: "input_tokens",
  promptDetails: "input_tokens_details",
  completion: "output_tokens",
  completionDetails: "output_tokens_details",
};

/** A longer usage is not one. */
const maxUsage = 64 * 1024;

/** The usage that is due; null if it is not an object of a sensible size. */
export function takeUsage(scanner: JsonScanner): JsonObject | null {
  const { at, bytes, kind } = scanner;
  scanner.skipValue();
  if (kind !== "object" || scanner.at - at > maxUsage) return null;
  const usage = parseJson(bytes.toString("utf8", at, scanner.at));
  return isJsonObject(usage) ? usage : null;
}

/** Reads the counts from the value that is due. */
export function readUsage(scanner: JsonScanner, facts: ObjectFacts, names: UsageNames): void {
  const usage = takeUsage(scanner);
  if (usage !== null) Object.assign(facts.tokens, tokensOfUsage(usage, names));
}

/** The lifetimes by which OpenAI counts what was written to its cache. */
const lifetimes: Readonly<Record<string, CacheLifetime>> = {
  ttl_30m_tokens: "30m",
  ttl_12h_tokens: "12h",
};

export function tokensOfUsage(usage: JsonObject | null, names: UsageNames): TokenCounts {
  const ofPrompt = objectOf(usage?.[names.promptDetails]);
  const ofCompletion = objectOf(usage?.[names.completionDetails]);
  const billed =
    usage === null
      ? undefined
      : billedApart({
          cache_writes: countsOf(ofPrompt.cache_write_tokens_details, lifetimes),
          unknown: unknownCounts(usage, ...paidFor(names)),
        });
  return {
    prompt_tokens: tokenCount(usage?.[names.prompt]),
    completion_tokens: tokenCount(usage?.[names.completion]),
    cached_tokens: tokenCount(ofPrompt.cached_tokens) ?? tokenCount(usage?.prompt_cache_hit_tokens),
    cache_write_tokens: tokenCount(ofPrompt.cache_write_tokens),
    reasoning_tokens: tokenCount(ofCompletion.reasoning_tokens),
    ...(billed === undefined ? {} : { billed }),
  };
}

const paid = new Map<UsageNames, Paid>();

type Paid = readonly [known: ReadonlySet<string>, groups: ReadonlySet<string>];

/** Parts that cost what the whole does, beside those that have a price. */
function paidFor(names: UsageNames): Paid {
  const made = paid.get(names);
  if (made !== undefined) return made;
  const { prompt, promptDetails, completion, completionDetails } = names;
  const writes = `${promptDetails}.cache_write_tokens_details`;
  const ofPrompt = ["cached_tokens", "cache_write_tokens", "text_tokens"];
  const ofCompletion = [
    ...["reasoning_tokens", "text_tokens"],
    ...["accepted_prediction_tokens", "rejected_prediction_tokens"],
  ];
  const known = [
    ...[prompt, completion, "total_tokens"],
    ...ofPrompt.map((name) => `${promptDetails}.${name}`),
    ...Object.keys(lifetimes).map((name) => `${writes}.${name}`),
    ...ofCompletion.map((name) => `${completionDetails}.${name}`),
    // DeepSeek's names for the parts of a prompt.
    ...["prompt_cache_hit_tokens", "prompt_cache_miss_tokens"],
    // Some servers repeat what the details say.
    ...["cached_tokens", "reasoning_tokens"],
  ];
  const found: Paid = [new Set(known), new Set([promptDetails, writes, completionDetails])];
  paid.set(names, found);
  return found;
}
