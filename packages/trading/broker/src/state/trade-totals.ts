import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
import type { Side } from "../engine/order.ts";
import type { StateTables } from "./schema.ts";

/** Sums over all trades that an account has closed. Money is in cents. */
export interface TradeTotals {
  readonly trades: number;
  readonly wins: number;
  readonly losses: number;
  readonly won: number;
  /** 0 or negative. */
  readonly lost: number;
  readonly roll: number;
  readonly commission: number;
}

/** Sums over the trades of one symbol and side. Money is in cents. */
export interface SymbolTotals {
  readonly symbol: string;
  readonly side: Side;
  readonly trades: number;
  readonly wins: number;
  readonly amount: number;
  readonly grossPL: number;
  readonly roll: number;
  readonly commission: number;
}

/** Its parameter is the account's id. */
export function symbolTotals(db: Kysely<StateTables>): Compilable {
  const net = sql<number>`("grossPL" + "roll" + "commission")`;
  return db
    .selectFrom("closed_positions")
    .select(["symbol", "side"])
    .select(({ fn }) => [
      fn.countAll<number>().as("trades"),
      fn.sum<number>("amount").as("amount"),
      fn.sum<number>("grossPL").as("grossPL"),
      fn.sum<number>("roll").as("roll"),
      fn.sum<number>("commission").as("commission"),
    ])
    .select(sql<number>`sum(${net} > 0)`.as("wins"))
    .where("accountId", "=", "")
    .groupBy(["symbol", "side"])
    .orderBy("symbol")
    .orderBy("side", "desc");
}

/** Its parameter is the account's id. */
export function tradeTotals(db: Kysely<StateTables>): Compilable {
  const net = sql<number>`("grossPL" + "roll" + "commission")`;
  const sum = (value: ReturnType<typeof sql<number>>) => sql<number>`coalesce(sum(${value}), 0)`;
  return db
    .selectFrom("closed_positions")
    .select([
      sql<number>`count(*)`.as("trades"),
      sum(sql`${net} > 0`).as("wins"),
      sum(sql`${net} < 0`).as("losses"),
      sum(sql`max(${net}, 0)`).as("won"),
      sum(sql`min(${net}, 0)`).as("lost"),
      sum(sql`"roll"`).as("roll"),
      sum(sql`"commission"`).as("commission"),
    ])
    .where("accountId", "=", "");
}
