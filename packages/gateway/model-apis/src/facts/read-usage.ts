import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { type ObjectFacts, readCount } from "./object-facts.ts";
import { type TokenCounts, tokenCount } from "./token-counts.ts";

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

/** The counts in an object of details. */
const details = ["cached_tokens", "cache_write_tokens", "reasoning_tokens"] as const;

/** Reads the counts from the value that is due. */
export function readUsage(scanner: JsonScanner, facts: ObjectFacts, names: UsageNames): void {
  if (scanner.kind !== "object") {
    scanner.skipValue();
    return;
  }
  const { tokens } = facts;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals(names.prompt)) tokens.prompt_tokens = readCount(scanner);
    else if (scanner.keyEquals(names.completion)) tokens.completion_tokens = readCount(scanner);
    else if (isDetails(scanner, names)) readDetails(scanner, facts);
    else scanner.skipValue();
  }
}

/** readUsage for parsed JSON. */
export function tokensOfUsage(usage: JsonObject | null, names: UsageNames): TokenCounts {
  const ofPrompt = detailsOf(usage?.[names.promptDetails]);
  const ofCompletion = detailsOf(usage?.[names.completionDetails]);
  return {
    prompt_tokens: tokenCount(usage?.[names.prompt]),
    completion_tokens: tokenCount(usage?.[names.completion]),
    cached_tokens: tokenCount(ofPrompt.cached_tokens),
    cache_write_tokens: tokenCount(ofPrompt.cache_write_tokens),
    reasoning_tokens: tokenCount(ofCompletion.reasoning_tokens),
  };
}

function isDetails(scanner: JsonScanner, names: UsageNames): boolean {
  if (scanner.kind !== "object") return false;
  return scanner.keyEquals(names.promptDetails) || scanner.keyEquals(names.completionDetails);
}

function readDetails(scanner: JsonScanner, { tokens }: ObjectFacts): void {
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    const name = details.find((known) => scanner.keyEquals(known));
    if (name === undefined) scanner.skipValue();
    else tokens[name] = readCount(scanner);
  }
}

const detailsOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
