import type { PriceConfig } from "@proj/gateway-protocol";
import type { AnswerFacts, Iteration, TokenCounts } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { StepOutcome } from "../call/outcome.ts";
import { priceAt, tierOf, tokenCost, toolCost } from "../prices/token-cost.ts";

/**
 * The cost of a call in whole nano-dollars (10^-9 US dollars), half of one rounded up, so that sums of costs
 * are exact. Null if the route has no price for that day, the upstream reported no tokens, or the cost
 * exceeds what a number can hold.
 * @param at when the call began, in milliseconds since the epoch
 */
export function costNanoUsd(
  prices: readonly PriceConfig[],
  at: number,
  tokens: TokenCounts | null,
): number | null {
  if (prices.length === 0 || tokens === null) return null;
  const { prompt_tokens, completion_tokens, billed } = tokens;
  if (prompt_tokens === null && completion_tokens === null) return null;
  const price = priceAt(prices, at);
  if (price === null) return null;
  const rates = tierOf(price, billed?.tiers ?? []);
  const iterations = billed?.iterations ?? [];
  let cost = tokenCost(rates, iterations.length === 0 ? tokens : besides(tokens, iterations));
  for (const iteration of iterations) {
    const isAdvisor = iteration.type === "advisor_message";
    cost += tokenCost(isAdvisor ? (price.advisor ?? rates) : rates, iteration);
  }
  if (billed !== undefined) cost += toolCost(price, billed.server_tools);
  const nanodollars = Number((cost + 500n) / 1_000n);
  return Number.isSafeInteger(nanodollars) ? nanodollars : null;
}

/**
 * The cost of a call by its route's prices, from its answer's usage: computed once, for its row, the metrics and its
 * span. An answer from a record costs nothing again.
 */
export function costOf(
  call: Pick<Call, "route" | "timings" | "cost_nano_usd"> & { readonly replayed: object | null },
  facts: TokenCounts | null,
): number | null {
  if (facts === null || call.replayed !== null) return null;
  if (call.cost_nano_usd === undefined)
    call.cost_nano_usd = costNanoUsd(call.route.config.prices, call.timings.startedAt, facts);
  return call.cost_nano_usd;
}

/** The answer's own counts: each iteration has a prompt of its own, whose length may set its price. */
function besides(tokens: TokenCounts, iterations: readonly Iteration[]): TokenCounts {
  const rest = (name: CountName): number =>
    iterations.reduce((left, iteration) => left - (iteration[name] ?? 0), tokens[name] ?? 0);
  return {
    prompt_tokens: rest("prompt_tokens"),
    completion_tokens: rest("completion_tokens"),
    cached_tokens: rest("cached_tokens"),
    cache_write_tokens: rest("cache_write_tokens"),
    reasoning_tokens: rest("reasoning_tokens"),
    billed: tokens.billed,
  };
}

type CountName = Exclude<keyof TokenCounts, "billed">;

/**
 * Whether a model may have worked for the step, and its usage or price is not known: no usage came, the answer was
 * given up before its end, or the route has no price for the day.
 * @param countsTokens the tokens matter even if the route has no prices
 */
export function isUnpriced(
  call: Call,
  answer: Answer | null,
  facts: AnswerFacts | null,
  { status_code }: Pick<StepOutcome, "status_code">,
  countsTokens: boolean,
): boolean {
  if (call.replayed !== null) return false;
  const status = answer?.upstream?.status ?? null;
  // Without headers: the caller left, or the time was up.
  const mayHaveWorked =
    status === null
      ? call.timings.forwarded > 0 && (status_code === 499 || status_code === 504)
      : status >= 200 && status < 300;
  if (!mayHaveWorked) return false;
  const isCounted = (facts?.prompt_tokens ?? facts?.completion_tokens ?? null) !== null;
  if (!isCounted) return countsTokens || call.route.config.prices.length > 0;
  return call.route.config.prices.length > 0 && costOf(call, facts) === null;
}
