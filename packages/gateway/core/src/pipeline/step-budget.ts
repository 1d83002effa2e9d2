import type { GatewayConfig } from "@proj/gateway-protocol";
import type { Answer } from "../call/answer.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import type { Session } from "../session/session.ts";
import { type Budgets, roomOf } from "../session/session-budget.ts";
import { createSyntheticStop, type StopReason, stopTexts } from "./synthetic-stop.ts";

/**
 * docs/interfaces.md, "Gateway: endpoints", 1: a model that has used up its steps in a session gets a
 * synthetic stop. So does every model of a session that has used up its tokens or its money. Calls whose API has no
 * form for a stop, such as embeddings, are then refused.
 */
export interface StepBudget {
  /**
   * The stop that answers the call; null while some budget is left.
   * @throws GatewayError budget_spent: its caller has ignored too many stops, or its API has no form for one
   */
  stop(call: BoundCall): Answer | null;
}

/**
 * What a call uses is known only when its answer has ended: calls in flight may exceed the limits on tokens
 * and money.
 *
 * Agents whose loop ends only by a tool take any number of stops for answers and ask again: an error ends them.
 */
export function createStepBudget(
  budgets: Budgets & Pick<GatewayConfig, "max_ignored_stops">,
): StepBudget {
  return {
    stop: (call) => {
      const { writeAnswer } = call.endpoint;
      // Only what has an answer takes steps.
      const isOut = writeAnswer !== null && isOutOfSteps(call, budgets);
      const reason = isOut ? "max_steps" : spentBudget(call.session, budgets);
      if (reason === null) return null;
      if (writeAnswer === null) throw isSpent(call, reason);
      const { max_ignored_stops } = budgets;
      const tally = call.session.tally(call.model);
      const ignored = tally.askedInVain(call.timings.started, max_ignored_stops);
      if (max_ignored_stops >= 0 && ignored >= max_ignored_stops) throw isSpent(call, reason);
      return createSyntheticStop(call, writeAnswer, reason);
    },
  };
}

const isSpent = ({ session, model }: BoundCall, reason: StopReason): GatewayError =>
  new GatewayError(
    "budget_spent",
    `Session '${session.session_id}' has used up its ${reason} for model '${model}': ${stopTexts[reason]}. Asking again does not help.`,
  );

/** The budget over all models that is used up; null if none is. */
function spentBudget(session: Session, budgets: Budgets): "max_tokens" | "max_cost_usd" | null {
  if (budgets.max_tokens < 0 && budgets.max_cost_usd === null) return null;
  const { tokens, nano_usd } = roomOf(session, budgets);
  if (tokens <= 0) return "max_tokens";
  return nano_usd <= 0 ? "max_cost_usd" : null;
}

function isOutOfSteps(call: BoundCall, { max_steps }: Budgets): boolean {
  const budget = smaller(max_steps, call.maxSteps);
  if (budget < 0) return false;
  // A retry takes the place of the step that it repeats.
  const spent = call.session.tally(call.model).spent - (call.retry === null ? 0 : 1);
  return spent >= budget;
}

/** The gateway's budget, or the key's if that is smaller. */
function smaller(max_steps: number, ofKey: number | null): number {
  if (ofKey === null) return max_steps;
  return max_steps < 0 ? ofKey : Math.min(max_steps, ofKey);
}
