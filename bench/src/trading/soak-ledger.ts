import type {
  AccountRecord,
  ClosedPositionRecord,
  OpenPositionRecord,
  OrderRecord,
} from "@proj/trading-client";
import { startBalance } from "./soak-market.ts";
import type { BotNews } from "./soak-protocol.ts";

type News<Kind extends BotNews["kind"]> = Extract<BotNews, { readonly kind: Kind }>;

/** The broker's rows at the end. */
export interface BrokerRows {
  readonly accounts: readonly AccountRecord[];
  readonly orders: readonly OrderRecord[];
  readonly open: readonly OpenPositionRecord[];
  /** All positions that were ever closed, each part with a trade id of its own but the last. */
  readonly closed: readonly ClosedPositionRecord[];
  /** The order that opened each trade, by the trade's id. */
  readonly openedBy: ReadonlyMap<string, string>;
}

type Position = OpenPositionRecord | ClosedPositionRecord;

/** What the bots were told, for comparison with the broker's rows. */
export class SoakLedger {
  readonly placed: Map<string, News<"placed">> = new Map();
  readonly failures: string[] = [];
  readonly refusals: Map<number | null, number> = new Map();
  unknown = 0;
  notSent = 0;
  incomplete = 0;
  readonly #ended = new Map<string, News<"ended">>();
  readonly #deleting = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #closing = new Set<string>();
  /** The closing order of each closed trade. */
  readonly #closed = new Map<string, string>();
  readonly #unknownOf = new Map<string, number>();

  take(news: BotNews): void {
    switch (news.kind) {
      case "placed":
        this.placed.set(news.orderId, news);
        break;
      case "ended":
        this.#ended.set(news.orderId, news);
        if (!news.isComplete) this.incomplete += 1;
        break;
      case "deleting":
        this.#deleting.add(news.orderId);
        break;
      case "deleted":
        this.#deleted.add(news.orderId);
        break;
      case "closing":
        this.#closing.add(news.tradeId);
        break;
      case "closed":
        this.#closed.set(news.tradeId, news.orderId);
        break;
      case "unknown":
        this.unknown += 1;
        this.#unknownOf.set(news.account_id, (this.#unknownOf.get(news.account_id) ?? 0) + 1);
        break;
      case "refused":
        this.refusals.set(news.code, (this.refusals.get(news.code) ?? 0) + 1);
        break;
      case "notSent":
        this.notSent += 1;
        break;
      case "failed":
        this.failures.push(news.what);
    }
  }

  /** The number of acknowledged closings. */
  get closings(): number {
    return this.#closed.size;
  }

  /** Everything that was acknowledged but is missing, or is there although nobody ordered it. */
  losses(rows: BrokerRows): readonly string[] {
    const positionsOf = new Map<string, Position[]>();
    for (const position of [...rows.open, ...rows.closed]) {
      const positions = positionsOf.get(String(position.orderId)) ?? [];
      positionsOf.set(String(position.orderId), [...positions, position]);
    }
    return [
      ...this.#lostOrders(positionsOf, rows),
      ...this.#lostClosings(rows),
      ...this.#strangers(positionsOf),
      ...wrongBalances(rows),
    ];
  }

  *#lostOrders(
    positionsOf: ReadonlyMap<string, readonly Position[]>,
    { orders, openedBy }: BrokerRows,
  ): Generator<string> {
    /** What remains of orders that have not ended. */
    const waiting = new Map(orders.map(({ orderId, amountK }) => [orderId, amountK]));
    const opened = Map.groupBy(openedBy.keys(), (tradeId) => openedBy.get(tradeId));
    for (const { orderId, amount, isEntry } of this.placed.values()) {
      const positions = positionsOf.get(orderId) ?? [];
      const filled = sum(positions.map(({ amountK }) => amountK));
      const left = waiting.get(orderId) ?? 0;
      // An entry order may be filled in part before it is deleted.
      const isCut = isEntry && this.#deleting.has(orderId) && filled < amount;
      if (filled + left !== amount && !isCut) {
        yield `order ${orderId} of ${amount} has trades of ${filled}, and ${left} to fill`;
      }
      if (this.#deleted.has(orderId) && left > 0) yield `order ${orderId} was deleted and waits`;
      const ended = this.#ended.get(orderId);
      const tradeIds = new Set(opened.get(orderId));
      const told = new Set(ended?.tradeIds);
      // After missed pushes the ids come from the tables, where a closed part has one of its own.
      const parts = new Set(positions.map(({ tradeId }) => tradeId));
      const isOther =
        [...tradeIds].some((id) => !told.has(id)) ||
        [...told].some((id) => !tradeIds.has(id) && !parts.has(id));
      if (ended?.isComplete === true && isOther) {
        yield `order ${orderId} was told to have the trades ${[...told]}, and has ${[...tradeIds]}`;
      }
    }
  }

  *#lostClosings({ open, closed, orders, openedBy }: BrokerRows): Generator<string> {
    const waiting = new Set(orders.map(({ orderId }) => orderId));
    const closedIds = new Set(closed.map(({ tradeId }) => tradeId));
    const openIds = new Set(open.map(({ tradeId }) => tradeId));
    for (const [tradeId, closingId] of this.#closed) {
      const isClosed = closedIds.has(tradeId) && !openIds.has(tradeId);
      if (!isClosed && !waiting.has(closingId)) yield `trade ${tradeId} was closed and is not`;
    }
    const closing = new Set([...this.#closing].map((tradeId) => openedBy.get(tradeId)));
    for (const { tradeId, orderId } of closed) {
      const mayClose = this.placed.get(orderId)?.isProtected ?? true;
      if (!mayClose && !closing.has(orderId)) yield `nobody closed trade ${tradeId}`;
    }
  }

  /** An order with an outcome unknown to its bot may be there; any other order that no bot knows may not. */
  *#strangers(positionsOf: ReadonlyMap<string, readonly Position[]>): Generator<string> {
    const strangers = new Map<string, number>();
    for (const [orderId, [position]] of positionsOf) {
      if (position === undefined || this.placed.has(orderId)) continue;
      const account_id = position.accountName.replace(/^0+/, "");
      strangers.set(account_id, (strangers.get(account_id) ?? 0) + 1);
    }
    for (const [account_id, count] of strangers) {
      const unknown = this.#unknownOf.get(account_id) ?? 0;
      if (count > unknown) {
        yield `account ${account_id} has ${count} orders that were not acknowledged, ${unknown} with an unknown outcome`;
      }
    }
  }
}

function* wrongBalances({ accounts, closed, open }: BrokerRows): Generator<string> {
  for (const { accountName, accountId, balance, equity } of accounts) {
    const ofAccount = (position: Position): boolean => position.accountName === accountName;
    const own = { closed: closed.filter(ofAccount), open: open.filter(ofAccount) };
    const rolls = [...own.closed, ...own.open].map(({ roll }) => cents(roll));
    const expected =
      cents(startBalance) + sum(rolls) + sum(own.closed.map(({ grossPL }) => cents(grossPL)));
    if (cents(balance) !== expected) {
      yield `account ${accountId} has ${balance}, and its trades make ${expected / 100}`;
    }
    if (cents(equity) !== expected + sum(own.open.map(({ grossPL }) => cents(grossPL)))) {
      yield `the equity ${equity} of account ${accountId} is not its balance and its open profit`;
    }
  }
}

const cents = (dollars: number): number => Math.round(dollars * 100);
const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
