import { Temporal } from "temporal-polyfill";
import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Call } from "../calls/sender.ts";
import { idOf, numberOf, objectsOf, textOf } from "../reading/answer-fields.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import type { TransactionRecord, TransactionType } from "../wire/index.ts";
import { orderTypes, parseWireTime, transactionTypes } from "../wire/index.ts";

/** A TransactionRecord with its time as an instant. */
export interface Transaction extends Omit<TransactionRecord, "time"> {
  readonly time: Temporal.Instant;
}

/** Which transactions to read; of all accounts by default, and the oldest if there are more than `num`. */
export interface TransactionsQuery {
  /** Only those after this id. @default 0 */
  readonly since?: number;
  readonly account_id?: string;
  readonly order_id?: string;
  readonly client_tag?: string;
  readonly type?: TransactionType;
  /** From 1 to 1000. @default 1000 */
  readonly num?: number;
}

export interface Transactions {
  /** Oldest first. */
  readonly transactions: readonly Transaction[];
  /** The id of the server's newest transaction; 0: none. */
  readonly last_id: number;
}

/** Reads what happened since an id, from a server that offers it. */
export function readTransactions(
  caller: Caller,
  query: TransactionsQuery,
  options: CallOptions,
): Promise<Transactions> {
  const call: Call<Transactions> = {
    method: "GET",
    path: "/trading/transactions",
    fields: { ...query },
    isIdempotent: true,
    read: (answer) => ({
      transactions: objectsOf(answer, "transactions").map(readTransaction),
      last_id: Number(answer.last_id),
    }),
  };
  return caller.call(call, options);
}

function readTransaction(record: JsonObject): Transaction {
  const type = transactionTypes.find((known) => known === record.type);
  const orderType = orderTypes.find((known) => known === record.orderType) ?? "";
  const { isBuy } = record;
  if (type === undefined || typeof isBuy !== "boolean")
    throw new TypeError("a transaction has an unknown type or no side");
  const number = (name: string): number => numberOf(record, name) ?? 0;
  return {
    ...{ id: Number(idOf(record, "id")), type, orderType, isBuy },
    time: Temporal.Instant.fromEpochMilliseconds(parseWireTime(textOf(record, "time"))),
    ...{ accountId: textOf(record, "accountId"), currency: textOf(record, "currency") },
    ...{ orderId: textOf(record, "orderId"), tradeId: textOf(record, "tradeId") },
    ...{ amountK: number("amountK"), rate: number("rate"), grossPL: number("grossPL") },
    ...{ com: number("com"), roll: number("roll"), client_tag: textOf(record, "client_tag") },
  };
}
