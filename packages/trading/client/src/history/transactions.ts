import { Temporal } from "temporal-polyfill";
import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Call } from "../calls/sender.ts";
import { objectsOf } from "../reading/answer-fields.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import type { TransactionRecord, TransactionType } from "../wire/index.ts";
import { parseWireTime, transactionTypes } from "../wire/index.ts";

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
  if (type === undefined || typeof record.id !== "number")
    throw new TypeError("a transaction has no id or an unknown type");
  const time = Temporal.Instant.fromEpochMilliseconds(parseWireTime(String(record.time)));
  return { ...(record as unknown as TransactionRecord), time };
}
