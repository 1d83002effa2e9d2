import { NotConnectedError, OutcomeUnknownError, type Reconciliation } from "@proj/trading-client";
import { ToolError } from "./tool-error.ts";
import type { UnknownOutcomes } from "./unknown-outcomes.ts";

/** A request's answer, or, if that was lost, what the tables show of it. */
export type Sent<T> =
  | { readonly answer: T; readonly found: null }
  | { readonly answer: null; readonly found: Reconciliation };

/** Most sends of a request that was not executed, or is safe to execute twice. */
const maxSends = 3;

/**
 * Sends a trading request. If its answer is lost, the broker's tables tell what became of it.
 * @throws ToolError `not_executed`, `outcome_unknown`; and anything that `send` throws
 */
export async function sendTrade<T>(
  outcomes: UnknownOutcomes,
  send: () => Promise<T>,
): Promise<Sent<T>> {
  for (let sends = 1; ; sends++) {
    try {
      return { answer: await send(), found: null };
    } catch (error) {
      const mayRepeat = sends < maxSends;
      // The connection ended before the request arrived: nothing was done.
      if (error instanceof NotConnectedError && error.reason === "ended" && mayRepeat) continue;
      if (!(error instanceof OutcomeUnknownError)) throw error;
      const found = await outcomes.settle(error);
      if (found.outcome === "executed") return { answer: null, found };
      // It sets values; setting them twice changes nothing.
      if (found.outcome === "repeatable" && mayRepeat) continue;
      throw unsettledError(error.request, found);
    }
  }
}

function unsettledError(request: string, { outcome, orderIds }: Reconciliation): ToolError {
  if (outcome === "not_executed" || outcome === "repeatable") {
    const message = `The answer to ${request} was lost. It is safe to send again: nothing will be done twice.`;
    return new ToolError("not_executed", message);
  }
  const message =
    `The answer to ${request} was lost, and the broker's tables do not tell for certain what became of it. ` +
    "Do not send it again before you have checked positions and orders.";
  return new ToolError("outcome_unknown", message, { possible_order_ids: orderIds });
}
