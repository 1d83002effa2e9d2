import type { GatewayConfig } from "@proj/gateway-protocol";
import type { Room } from "./budget-holds.ts";
import type { Session } from "./session.ts";

/** What a session may use: steps with each model, and tokens and money over all models. */
export type Budgets = Pick<GatewayConfig, "max_steps" | "max_tokens" | "max_cost_usd">;

/** What a session has used over all its models. */
export interface SessionUse {
  readonly tokens: number;
  readonly cost_nano_usd: number;
}

export function useOf({ models }: Pick<Session, "models">): SessionUse {
  let tokens = 0;
  let cost_nano_usd = 0;
  for (const tally of models.values()) {
    tokens += tally.tokens;
    cost_nano_usd += tally.costNanoUsd;
  }
  return { tokens, cost_nano_usd };
}

/** What is left of the budgets over all models. What calls of unknown usage held counts as used. */
export function roomOf(
  session: Pick<Session, "models">,
  { max_tokens, max_cost_usd }: Budgets,
): Room {
  let { tokens, cost_nano_usd: nano_usd } = useOf(session);
  for (const { unpriced } of session.models.values()) {
    tokens += unpriced.tokens;
    nano_usd += unpriced.nano_usd;
  }
  return {
    tokens: max_tokens < 0 ? Number.POSITIVE_INFINITY : max_tokens - tokens,
    nano_usd:
      max_cost_usd === null ? Number.POSITIVE_INFINITY : Math.round(max_cost_usd * 1e9) - nano_usd,
  };
}

/** The tokens of the longest call of a session, prompt and answer together. */
export const longestCall = ({ models }: Pick<Session, "models">): number =>
  Math.max(0, ...[...models.values()].map(({ longest }) => longest));
