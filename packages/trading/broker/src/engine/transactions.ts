import type { OrderType, TransactionType } from "@proj/trading-client/wire";
import type { Desk } from "./desk.ts";
import type { Order, Side } from "./order.ts";
import type { Position } from "./position.ts";

/** What happened; never changed and never forgotten. Rates are points, amounts thousands, money cents. */
export interface Transaction {
  readonly id: number;
  readonly type: TransactionType;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly accountId: string;
  readonly symbol: string;
  /** 0: none. */
  readonly orderId: number;
  readonly orderType: OrderType | "";
  /** 0: none. */
  readonly tradeId: number;
  readonly side: Side;
  readonly amount: number;
  /** Not necessarily whole: an order's end has the average. */
  readonly rate: number;
  readonly grossPL: number;
  readonly commission: number;
  readonly roll: number;
  readonly clientTag: string;
  readonly requestId: string;
}

type Figures = Partial<
  Pick<Transaction, "tradeId" | "amount" | "rate" | "grossPL" | "commission" | "roll">
>;

/** Records what happened to an order. @param figures those that are not the order's own */
export function recordOfOrder(
  desk: Desk,
  type: Exclude<TransactionType, "swap">,
  order: Order,
  figures: Figures,
): void {
  const { orderId, type: orderType, amount, rate, clientTag, requestId } = order;
  const own = { orderId, orderType, amount, rate, clientTag, requestId };
  record(desk, type, order, { ...own, ...figures });
}

export function recordSwap(desk: Desk, position: Position, roll: number): void {
  const { tradeId, amount, clientTag } = position;
  record(desk, "swap", position, { tradeId, amount, roll, clientTag });
}

function record(
  { book, now }: Desk,
  type: TransactionType,
  { accountId, symbol, side }: Pick<Transaction, "accountId" | "symbol" | "side">,
  figures: Partial<Transaction>,
): void {
  book.unsaved.transactions.add({
    ...{ id: book.counters.nextTransactionId, type, time: now, accountId, symbol },
    ...{ orderId: 0, orderType: "", tradeId: 0, side, amount: 0, rate: 0 },
    ...{ grossPL: 0, commission: 0, roll: 0, clientTag: "", requestId: "" },
    ...figures,
  });
  book.counters.nextTransactionId += 1;
}
