import { type Compilable, type Kysely, sql } from "@proj/database/kysely";
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
