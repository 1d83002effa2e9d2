import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** The tokens that an answer used, as the upstream reports them; null where it does not. */
export interface TokenCounts {
  /** The whole prompt, including what was read from a cache or written to it. */
  readonly prompt_tokens: number | null;
  /** The whole answer, including its reasoning. */
  readonly completion_tokens: number | null;
  /** Part of the prompt: read from the upstream's cache. */
  readonly cached_tokens: number | null;
  /** Part of the prompt: written to the upstream's cache. */
  readonly cache_write_tokens: number | null;
  /** Part of the answer: reasoning. */
  readonly reasoning_tokens: number | null;
  /** What is billed by prices of its own. Left out if nothing is. */
  readonly billed?: BilledApart | undefined;
}

export const noTokens: TokenCounts = {
  prompt_tokens: null,
  completion_tokens: null,
  cached_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** Only the counts, from an object with more members. */
export function tokensOf(counts: TokenCounts | null): TokenCounts {
  if (counts === null) return noTokens;
  const { prompt_tokens, completion_tokens } = counts;
  const { cached_tokens, cache_write_tokens, reasoning_tokens, billed } = counts;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens,
    cache_write_tokens,
    reasoning_tokens,
    ...(billed === undefined ? {} : { billed }),
  };
}

/** A token count from parsed JSON; null if the value is not one. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** How long an upstream keeps what was written to its cache. */
export type CacheLifetime = "5m" | "30m" | "1h" | "12h";

/** What a provider bills by other prices than those of a prompt and an answer. */
export interface BilledApart {
  /** Parts of `cache_write_tokens`, by how long they are kept. */
  readonly cache_writes: Readonly<Partial<Record<CacheLifetime, number>>>;
  /** How it was served, where that is not the standard: a service tier, a speed, a region. */
  readonly tiers: readonly string[];
  /** Calls of tools that the upstream ran itself. */
  readonly server_tools: Readonly<Record<string, number>>;
  /** Models asked beside the answer, such as a compaction's. Their tokens are part of all counts. */
  readonly iterations: readonly Iteration[];
  /** Counts for which nobody here knows a price, by their names in the usage. */
  readonly unknown: readonly string[];
}

export interface Iteration extends TokenCounts {
  readonly type: string;
}

/** Everything found; undefined if that is nothing. */
export function billedApart({
  cache_writes = {},
  tiers = [],
  server_tools = {},
  iterations = [],
  unknown = [],
}: Partial<BilledApart>): BilledApart | undefined {
  const isNothing =
    Object.keys(cache_writes).length === 0 &&
    tiers.length === 0 &&
    Object.keys(server_tools).length === 0 &&
    iterations.length === 0 &&
    unknown.length === 0;
  return isNothing ? undefined : { cache_writes, tiers, server_tools, iterations, unknown };
}

/** Adds what an answer says outside its usage. */
export function withBilled(
  billed: BilledApart | undefined,
  { tiers, server_tools }: Pick<BilledApart, "tiers" | "server_tools">,
): BilledApart | undefined {
  return billedApart({
    ...billed,
    tiers: [...(billed?.tiers ?? []), ...tiers],
    server_tools: { ...billed?.server_tools, ...server_tools },
  });
}

/** What providers call serving at the listed price. */
const standard: ReadonlySet<unknown> = new Set([
  "standard",
  "default",
  "auto",
  "on_demand",
  "global",
  "not_available",
  ...["service_tier_unspecified", "traffic_type_unspecified"],
  "",
]);

/** The values that are tiers of their own. */
export const tiersOf = (...values: readonly unknown[]): string[] =>
  values.flatMap((value) => (typeof value === "string" && !standard.has(value) ? [value] : []));

/** The counts above zero, under other names. */
export function countsOf<Name extends string>(
  counts: unknown,
  names: Readonly<Record<string, Name>>,
): Partial<Record<Name, number>> {
  const found: Partial<Record<Name, number>> = {};
  if (!isJsonObject(counts)) return found;
  for (const [name, as] of Object.entries(names)) {
    const count = tokenCount(counts[name]) ?? 0;
    if (count > 0) found[as] = count;
  }
  return found;
}

/** The form of a member that counts what may have a price; times and sizes have other names. */
const countName =
  /(?:_tokens|_requests|_queries|_calls|[a-z](?:Token|Request|Query|Call)Count)$|^num_/;
/** Few enough for rows and logs, however much an upstream sends. */
const maxUnknown = 8;
const maxName = 128;

/**
 * Names of counts above zero that are none of the known ones, such as `prompt_tokens_details.audio_tokens`.
 * @param known the names whose tokens are paid for, with their paths
 * @param groups the members whose own members are looked at too; others may repeat what is paid for
 */
export function unknownCounts(
  usage: JsonObject,
  known: ReadonlySet<string>,
  groups: ReadonlySet<string>,
): string[] {
  const found: string[] = [];
  const look = (members: JsonObject, path: string): void => {
    for (const [name, value] of Object.entries(members)) {
      const full = `${path}${name}`;
      if (found.length === maxUnknown || known.has(full) || full.length > maxName) continue;
      if (isJsonObject(value) && groups.has(full)) look(value, `${full}.`);
      else if (countName.test(name) && (tokenCount(value) ?? 0) > 0) found.push(full);
    }
  };
  look(usage, "");
  return found;
}
