import type { GatewayConfig } from "@proj/gateway-protocol";
import { noTokens, readAnswerBounds } from "@proj/model-apis";
import type { Stage } from "../call/stage.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import { costNanoUsd } from "../recording/step-cost.ts";
import type { Hold } from "../session/budget-holds.ts";
import { type Budgets, longestCall, roomOf } from "../session/session-budget.ts";
import type { StepBudget } from "./step-budget.ts";

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

function holdOf(
  { body, endpoint, reference, route, session, timings }: BoundCall,
  reserve: number,
): Hold {
  const { extra_body, extra_body_stream, prices } = route.config;
  const set = { ...extra_body, ...(body.stream ? extra_body_stream : {}) };
  const { tokens: bound, answers, tiers } = readAnswerBounds(body, set);
  // Vectors are not billed as tokens.
  const completion_tokens = endpoint.abridge === null ? (bound ?? reserve) * answers : 0;
  // What a request names instead of repeating it was a call of the session.
  const named = reference === null ? 0 : longestCall(session);
  const prompt_tokens = Math.ceil(body.bytes.length / bytesPerToken) + named;
  const billed = { cache_writes: {}, tiers, server_tools: {}, iterations: [], unknown: [] };
  const tokens = { ...noTokens, prompt_tokens, completion_tokens, billed };
  return {
    tokens: prompt_tokens + completion_tokens,
    nano_usd: costNanoUsd(prices, timings.startedAt, tokens) ?? 0,
  };
}
