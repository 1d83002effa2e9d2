import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { TransactionType } from "@proj/trading-client/wire";
import type { Database, Statement } from "better-sqlite3";
import type { ClosedPosition } from "../engine/position.ts";
import type { Transaction } from "../engine/transactions.ts";
import type { StateTables } from "./schema.ts";

export interface TransactionsQuery {
  readonly accountIds: readonly string[];
  /** Only later ones. */
  readonly since: number;
  /** Most rows; the oldest are returned. */
  readonly num: number;
  readonly orderId?: number | undefined;
  readonly clientTag?: string | undefined;
  readonly type?: TransactionType | undefined;
}

export interface ClosedQuery {
  readonly accountIds: readonly string[];
  /** Of the closing, in milliseconds since the epoch, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Most rows; the newest are returned. */
  readonly num: number;
  readonly closeOrderId?: number | undefined;
  readonly clientTag?: string | undefined;
}

/** Reads what the tables have forgotten. */
export class History {
  readonly #database: Database;
  readonly #db: Kysely<StateTables>;
  readonly #ofRequest: Statement<[requestId: string], Transaction>;

  constructor(database: Database, db: Kysely<StateTables>) {
    this.#database = database;
    this.#db = db;
    const ofRequest = db
      .selectFrom("transactions")
      .selectAll()
      // SQLite uses the partial index only if the query repeats its condition.
      .where(sql<boolean>`"requestId" <> ''`)
      .where("requestId", "=", "")
      .orderBy("id");
    this.#ofRequest = database.prepare(ofRequest.compile().sql);
  }

  /** Oldest first. */
  transactions(query: TransactionsQuery): readonly Transaction[] {
    const { accountIds, since, num, orderId, clientTag, type } = query;
    let select = this.#db
      .selectFrom("transactions")
      .selectAll()
      .where("id", ">", since)
      .where("accountId", "in", accountIds);
    if (orderId !== undefined) select = select.where("orderId", "=", orderId);
    if (clientTag !== undefined) select = select.where("clientTag", "=", clientTag);
    if (type !== undefined) select = select.where("type", "=", type);
    return this.#all<Transaction>(select.orderBy("id").limit(num));
  }

  /** All transactions of the orders that a request placed, oldest first. */
  ofRequest(requestId: string): readonly Transaction[] {
    return this.#ofRequest.all(requestId);
  }

  /** In order of closing. */
  closed(query: ClosedQuery): readonly ClosedPosition[] {
    const { accountIds, from, to, num, closeOrderId, clientTag } = query;
    let select = this.#db
      .selectFrom("closed_positions")
      .selectAll()
      .where("accountId", "in", accountIds)
      .where("closeTime", ">=", from)
      .where("closeTime", "<=", to);
    if (closeOrderId !== undefined) select = select.where("closeOrderId", "=", closeOrderId);
    if (clientTag !== undefined) select = select.where("clientTag", "=", clientTag);
    const newest = select.orderBy("closeTime", "desc").orderBy("tradeId", "desc").limit(num);
    return [...this.#all<ClosedPosition>(newest)].reverse();
  }

  #all<Row>(query: Compilable): readonly Row[] {
    const { sql: text, parameters } = query.compile();
    return this.#database.prepare<unknown[], Row>(text).all(...parameters);
  }
}
