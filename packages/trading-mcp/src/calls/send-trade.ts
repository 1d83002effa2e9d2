import { NotConnectedError, OutcomeUnknownError, type Reconciliation } from "@proj/trading-client";
import { ToolError } from "./tool-error.ts";
import type { UnknownOutcomes } from "./unknown-outcomes.ts";

/** What a request brought: its answer, or what the tables show of it after its answer got lost. */
export type Sent<T> =
  | { readonly answer: T; readonly found: null }
  | { readonly answer: null; readonly found: Reconciliation };

/** How often a request is sent at most that was not carried out, or may be carried out twice. */
const mostSends = 3;

/**
 * Sends a request that trades. If its answer gets lost, the broker's tables tell what became of it.
 * @throws ToolError `not_executed`, `outcome_unknown`; and what `send` throws
 */
export async function sendTrade<T>(
  outcomes: UnknownOutcomes,
  send: () => Promise<T>,
): Promise<Sent<T>> {
  for (let sends = 1; ; sends++) {
    try {
      return { answer: await send(), found: null };
    } catch (error) {
      const mayRepeat = sends < mostSends;
      // The connection ended before the request came: nothing was done.
      if (error instanceof NotConnectedError && error.reason === "ended" && mayRepeat) continue;
      if (!(error instanceof OutcomeUnknownError)) throw error;
      const found = await outcomes.settle(error);
      if (found.outcome === "executed") return { answer: null, found };
      // It sets values that are the same when they are set twice.
      if (found.outcome === "repeatable" && mayRepeat) continue;
      throw unsettledError(error.request, found);
    }
  }
}

function unsettledError(request: string, { outcome, orderIds }: Reconciliation): ToolError {
  if (outcome === "not_executed" || outcome === "repeatable") {
    const message = `The answer to ${request} got lost. It may be sent again: nothing is done twice.`;
    return new ToolError("not_executed", message);
  }
  const message =
    `The answer to ${request} got lost, and others trade the same in this account: which orders are its own ` +
    "cannot be told. Look at the positions and orders before you go on.";
  return new ToolError("outcome_unknown", message, { possible_order_ids: orderIds });
}
