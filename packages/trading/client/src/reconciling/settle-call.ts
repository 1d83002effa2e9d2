import type { Call } from "../calls/sender.ts";
import { dataOf, idOf, numberOf, objectsOf } from "../reading/answer-fields.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import { type ReconciledOrder, type Reconciliation, reconciled } from "./reconciliation.ts";

/** Asks a server that keeps request ids. Asking twice gives the same answer. */
export function settleCall(request_id: string): Call<Reconciliation> {
  return {
    method: "POST",
    path: "/trading/settle_request",
    fields: { request_id },
    isIdempotent: true,
    read: (answer) => {
      const data = dataOf(answer);
      const outcome = data.executed === true ? "executed" : "not_executed";
      return reconciled(outcome, objectsOf(data, "orders").map(readOrder));
    },
  };
}

function readOrder(order: JsonObject): ReconciledOrder {
  const amount = numberOf(order, "filledK");
  return {
    orderId: idOf(order, "orderId"),
    tradeIds: Array.isArray(order.tradeIds) ? order.tradeIds.map(String) : [],
    amount,
    rate: amount === null || amount === 0 ? null : numberOf(order, "fillRate"),
    grossPL: numberOf(order, "grossPL"),
  };
}
