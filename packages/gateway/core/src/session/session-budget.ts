import type { GatewayConfig } from "@proj/gateway-protocol";
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

/** The budget over all models that is used up; null if none is. */
export function spentBudget(
  session: Pick<Session, "models">,
  { max_tokens, max_cost_usd }: Budgets,
): "max_tokens" | "max_cost_usd" | null {
  if (max_tokens < 0 && max_cost_usd === null) return null;
  const { tokens, cost_nano_usd } = useOf(session);
  if (max_tokens >= 0 && tokens >= max_tokens) return "max_tokens";
  if (max_cost_usd !== null && cost_nano_usd >= Math.round(max_cost_usd * 1e9))
    return "max_cost_usd";
  return null;
}
