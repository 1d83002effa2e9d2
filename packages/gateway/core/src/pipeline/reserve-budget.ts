import type { GatewayConfig } from "@proj/gateway-protocol";
import { noTokens, parseBesidesHistory, tiersOf } from "@proj/model-apis";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import type { Stage } from "../call/stage.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import { costNanoUsd } from "../recording/step-cost.ts";
import type { Hold } from "../session/budget-holds.ts";
import { type Budgets, roomOf } from "../session/session-budget.ts";
import type { StepBudget } from "./step-budget.ts";

/** The members that bound an answer's tokens, in any API. Of several the largest counts: upstreams differ. */
const bounds: ReadonlySet<string> = new Set([
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "maxoutputtokens",
]);
/** The members that ask for several answers. */
const repeats: ReadonlySet<string> = new Set(["n", "best_of", "candidatecount"]);
/** A longer answer does not exist; it keeps sums exact. */
const maxAnswer = 100_000_000;
const maxAnswers = 128;
/** An English text has a token in about four bytes. */
const bytesPerToken = 4;

/**
 * Holds what the call may use of its session's budgets until its usage is counted, so that calls at the same time do
 * not spend the same money. Waits while others hold the rest.
 */
export function reserveBudget(
  config: Budgets & Pick<GatewayConfig, "reserve">,
  budget: StepBudget,
): Stage<BoundCall> {
  const { reserve, max_tokens, max_cost_usd } = config;
  if (reserve === null || (max_tokens < 0 && max_cost_usd === null)) return (next) => next;
  return (next) => async (call) => {
    const { session, route } = call;
    // Embeddings count, but have no answer to bound.
    if (call.endpoint.writeAnswer === null) return next(call);
    const hold = holdOf(call, reserve);
    const room = () => roomOf(session, config);
    await session.holds.acquire(
      hold,
      room,
      call.cancellation,
      1_000 * route.config.queue_timeout_s,
    );
    call.hold = hold;
    const release = (): void => session.holds.release(hold, room());
    try {
      // Others may have spent the rest while it waited.
      const answer = budget.stop(call) ?? (await next(call));
      answer.settled.when(release);
      return answer;
    } catch (error) {
      release();
      throw error;
    }
  };
}

function holdOf({ body, route, timings }: BoundCall, reserve: number): Hold {
  const { config } = route;
  const asked = parseBesidesHistory(body);
  // Gemini's place for it.
  const generation = asked.generationConfig ?? asked.generation_config;
  const request = {
    ...(isJsonObject(generation) ? generation : {}),
    ...asked,
    ...config.extra_body,
    ...(body.stream ? config.extra_body_stream : {}),
  };
  const completion_tokens =
    largest(request, bounds, maxAnswer, reserve) * largest(request, repeats, maxAnswers, 1);
  const prompt_tokens = Math.ceil(body.bytes.length / bytesPerToken);
  const tiers = tiersOf(request.speed, request.service_tier);
  const billed = { cache_writes: {}, tiers, server_tools: {}, iterations: [], unknown: [] };
  const tokens = { ...noTokens, prompt_tokens, completion_tokens, billed };
  return {
    tokens: prompt_tokens + completion_tokens,
    nano_usd: costNanoUsd(config.prices, timings.startedAt, tokens) ?? 0,
  };
}

/** The largest count among the members with these names, in any case: some upstreams ignore it. */
function largest(
  request: JsonObject,
  names: ReadonlySet<string>,
  most: number,
  otherwise: number,
): number {
  const counts = Object.entries(request).flatMap(([name, value]) =>
    names.has(name.toLowerCase()) && Number.isInteger(value) && Number(value) > 0
      ? [Math.min(Number(value), most)]
      : [],
  );
  return counts.length === 0 ? otherwise : Math.max(...counts);
}
