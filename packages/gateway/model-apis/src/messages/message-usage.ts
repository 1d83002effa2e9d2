import {
  billedApart,
  type CacheLifetime,
  countsOf,
  type Iteration,
  type TokenCounts,
  tiersOf,
  tokenCount,
  unknownCounts,
} from "../facts/token-counts.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** The parts in which a prompt is counted; they do not overlap. */
const promptCounts = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const;

const lifetimes: Readonly<Record<string, CacheLifetime>> = {
  ephemeral_5m_input_tokens: "5m",
  ephemeral_1h_input_tokens: "1h",
};

const serverTools = { web_search_requests: "web_search", web_fetch_requests: "web_fetch" } as const;

/** What is paid for, or counts again what is. */
const paidFor: ReadonlySet<string> = new Set([
  ...promptCounts,
  "output_tokens",
  "total_tokens",
  "output_tokens_details.thinking_tokens",
  ...Object.keys(lifetimes).map((name) => `cache_creation.${name}`),
  ...Object.keys(serverTools).map((name) => `server_tool_use.${name}`),
]);
const groups: ReadonlySet<string> = new Set([
  "cache_creation",
  "output_tokens_details",
  "server_tool_use",
]);

/**
 * The iterations that are billed beside the usage: a compaction, an advisor. Those of the type `message` are already
 * in it, and so is a fallback that served; one that declined is not billed.
 */
const besideUsage: ReadonlySet<unknown> = new Set(["compaction", "advisor_message"]);
/** More iterations are not one answer's. */
const maxIterations = 256;

export function messageTokens(usage: JsonObject): TokenCounts {
  const own = countsIn(usage);
  const iterations = iterationsOf(usage.iterations);
  const billed = billedApart({
    cache_writes: countsOf(usage.cache_creation, lifetimes),
    tiers: tiersOf(usage.speed, usage.service_tier, usage.inference_geo),
    server_tools: countsOf(usage.server_tool_use, serverTools),
    iterations,
    unknown: unknownCounts(usage, paidFor, groups),
  });
  return {
    ...iterations.reduce<TokenCounts>(sumOf, own),
    ...(billed === undefined ? {} : { billed }),
  };
}

function iterationsOf(value: unknown): Iteration[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, maxIterations).flatMap((iteration: unknown) => {
    if (!isJsonObject(iteration) || !besideUsage.has(iteration.type)) return [];
    const billed = billedApart({ cache_writes: countsOf(iteration.cache_creation, lifetimes) });
    const counts = { ...countsIn(iteration), ...(billed === undefined ? {} : { billed }) };
    return [{ type: String(iteration.type), ...counts }];
  });
}

function countsIn(usage: JsonObject): TokenCounts {
  const counts = promptCounts.flatMap((name) => tokenCount(usage[name]) ?? []);
  const { output_tokens_details: details } = usage;
  return {
    prompt_tokens: counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0),
    completion_tokens: tokenCount(usage.output_tokens),
    cached_tokens: tokenCount(usage.cache_read_input_tokens),
    cache_write_tokens: tokenCount(usage.cache_creation_input_tokens),
    reasoning_tokens: isJsonObject(details) ? tokenCount(details.thinking_tokens) : null,
  };
}

const sumOf = (one: TokenCounts, other: TokenCounts): TokenCounts => ({
  prompt_tokens: plus(one.prompt_tokens, other.prompt_tokens),
  completion_tokens: plus(one.completion_tokens, other.completion_tokens),
  cached_tokens: plus(one.cached_tokens, other.cached_tokens),
  cache_write_tokens: plus(one.cache_write_tokens, other.cache_write_tokens),
  reasoning_tokens: plus(one.reasoning_tokens, other.reasoning_tokens),
});

/** Null if neither is known. */
const plus = (one: number | null, other: number | null): number | null =>
  one === null && other === null ? null : (one ?? 0) + (other ?? 0);
