import type { Account } from "./account.ts";
import type { Order } from "./order.ts";
import type { ClosedPosition, Position } from "./position.ts";
import type { Quote } from "./quote.ts";
import type { Transaction } from "./transactions.ts";

/** First ids. The ranges do not overlap, so that an order id sent as a trade id is never found. */
const firstOrderId = 100_000_001;
const firstTradeId = 500_000_001;

export interface Counters {
  nextOrderId: number;
  nextTradeId: number;
  nextOcoBulkId: number;
  nextTransactionId: number;
}

/** The engine's durable state, apart from the time. */
export interface BookContent {
  readonly accounts: readonly Account[];
  readonly quotes: readonly Quote[];
  readonly orders: readonly Order[];
  readonly positions: readonly Position[];
  /** Those of this trading day, in order of closing. */
  readonly closedPositions: readonly ClosedPosition[];
  readonly counters: Counters;
}

export function firstCounters(): Counters {
  return {
    nextOrderId: firstOrderId,
    nextTradeId: firstTradeId,
    nextOcoBulkId: 1,
    nextTransactionId: 1,
  };
}

/** Distance of trade ids from order ids; they meet after more than a hundred years. */
const idDistance = 400_000_000_000_000;
const idEpoch = Date.UTC(2026, 0, 1);
/** Ids are set aside for every millisecond since the epoch: more than a market can use for long. */
const idsPerMillisecond = 100;

/**
 * First ids of a market without stored state: above all ids of earlier runs, so that a bot that remembers
 * a trade id never closes a different trade. They stay below 2^53.
 * @param now wall-clock time in milliseconds
 */
export function timeBasedCounters(now: number): Counters {
  const passed = Math.max(0, Math.floor((now - idEpoch) * idsPerMillisecond));
  const nextOrderId = 100_000_000_001 + passed;
  return {
    nextOrderId,
    nextTradeId: nextOrderId + idDistance,
    nextOcoBulkId: 1 + passed,
    nextTransactionId: 1,
  };
}

/** What an account is worth from this time until the next point. Money is in cents. */
export interface EquityPoint {
  readonly accountId: string;
  /** Market time, in milliseconds since the epoch. */
  readonly time: number;
  readonly balance: number;
  readonly equity: number;
}

/** Keys of records changed since the last save; a key that is no longer in the book was removed. */
export interface Unsaved {
  readonly accounts: Set<string>;
  readonly quotes: Set<string>;
  readonly orders: Set<number>;
  readonly positions: Set<number>;
  readonly closedPositions: Set<ClosedPosition>;
  readonly equityPoints: Set<EquityPoint>;
  readonly transactions: Set<Transaction>;
}

/** The engine's records and their indices. Code that changes a record must add its key to `unsaved`. */
export class Book {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly quotes: ReadonlyMap<string, Quote>;
  readonly counters: Counters;
  readonly unsaved: Unsaved = {
    accounts: new Set(),
    quotes: new Set(),
    orders: new Set(),
    positions: new Set(),
    closedPositions: new Set(),
    equityPoints: new Set(),
    transactions: new Set(),
  };
  readonly #orders = new Map<number, Order>();
  readonly #positions = new Map<number, Position>();
  readonly #closedPositions = new Map<number, ClosedPosition>();
  readonly #ordersOf = new Map<string, Map<number, Order>>();
  readonly #positionsOf = new Map<string, Map<number, Position>>();
  readonly #positionsIn = new Map<string, Map<number, Position>>();
  readonly #orderCounts = new Map<string, number>();
  readonly #savedAccounts = new Set<string>();

  constructor(content: BookContent) {
    this.accounts = new Map(content.accounts.map((account) => [account.accountId, account]));
    this.quotes = new Map(content.quotes.map((quote) => [quote.symbol, quote]));
    this.counters = content.counters;
    for (const symbol of this.quotes.keys()) {
      this.#ordersOf.set(symbol, new Map());
      this.#positionsOf.set(symbol, new Map());
    }
    for (const id of this.accounts.keys()) this.#positionsIn.set(id, new Map());
    for (const order of content.orders) this.addOrder(order);
    for (const position of content.positions) this.addPosition(position);
    for (const position of content.closedPositions) this.addClosedPosition(position);
    this.forgetUnsaved();
  }

  get orders(): ReadonlyMap<number, Order> {
    return this.#orders;
  }

  get positions(): ReadonlyMap<number, Position> {
    return this.#positions;
  }

  get closedPositions(): ReadonlyMap<number, ClosedPosition> {
    return this.#closedPositions;
  }

  /** In order of id. */
  ordersOf(symbol: string): ReadonlyMap<number, Order> {
    return this.#ordersOf.get(symbol) ?? new Map();
  }

  /** Oldest first. */
  positionsOf(symbol: string): ReadonlyMap<number, Position> {
    return this.#positionsOf.get(symbol) ?? new Map();
  }

  /** Oldest first. */
  positionsIn(accountId: string): ReadonlyMap<number, Position> {
    return this.#positionsIn.get(accountId) ?? new Map();
  }

  countOrdersIn(accountId: string): number {
    return this.#orderCounts.get(accountId) ?? 0;
  }

  addOrder(order: Order): void {
    this.#orders.set(order.orderId, order);
    this.#ordersOf.get(order.symbol)?.set(order.orderId, order);
    this.#countOrder(order, 1);
    this.unsaved.orders.add(order.orderId);
  }

  removeOrder(order: Order): void {
    this.#orders.delete(order.orderId);
    this.#ordersOf.get(order.symbol)?.delete(order.orderId);
    this.#countOrder(order, -1);
    this.unsaved.orders.add(order.orderId);
  }

  addPosition(position: Position): void {
    this.#positions.set(position.tradeId, position);
    this.#positionsOf.get(position.symbol)?.set(position.tradeId, position);
    this.#positionsIn.get(position.accountId)?.set(position.tradeId, position);
    this.unsaved.positions.add(position.tradeId);
  }

  removePosition(position: Position): void {
    this.#positions.delete(position.tradeId);
    this.#positionsOf.get(position.symbol)?.delete(position.tradeId);
    this.#positionsIn.get(position.accountId)?.delete(position.tradeId);
    this.unsaved.positions.add(position.tradeId);
  }

  addClosedPosition(position: ClosedPosition): void {
    this.#closedPositions.set(position.tradeId, position);
    this.unsaved.closedPositions.add(position);
  }

  /** Drops it from memory; the storage keeps it. */
  dropClosedPosition(position: ClosedPosition): void {
    this.#closedPositions.delete(position.tradeId);
  }

  get hasUnsaved(): boolean {
    return Object.values(this.unsaved).some((keys) => keys.size > 0);
  }

  /** Whether the account has been saved by this book; false: perhaps by an earlier one. */
  wasSaved({ accountId }: Account): boolean {
    return this.#savedAccounts.has(accountId);
  }

  forgetUnsaved(): void {
    for (const accountId of this.unsaved.accounts) this.#savedAccounts.add(accountId);
    for (const keys of Object.values(this.unsaved)) keys.clear();
  }

  #countOrder({ accountId }: Order, by: number): void {
    this.#orderCounts.set(accountId, this.countOrdersIn(accountId) + by);
  }
}
