import type { PriceFeeds, Prices } from "@proj/points-client";
import type { PointsDatabase } from "../storage/database.ts";
import { type StoredQuery, storeQuery } from "../storage/stored-query.ts";

interface PriceRow {
  readonly token: string;
  readonly price: string;
  readonly price_decimals: number;
  readonly time: number;
}

/** As there are as many prices as tokens, and no more, all are read at once. */
export class PriceReader {
  readonly #database: PointsDatabase;
  readonly #prices: StoredQuery<PriceRow>;

  constructor(database: PointsDatabase) {
    this.#database = database;
    this.#prices = storeQuery(
      database.builder
        .selectFrom("prices")
        .select(["token", "price", "price_decimals", "time"])
        .orderBy("token"),
    );
  }

  async feeds(): Promise<PriceFeeds> {
    const { rows } = await this.#database.run(this.#prices, {});
    return byToken(rows, ({ time, price_decimals, price }) => ({
      pricePublishTime: time,
      priceDecimals: price_decimals,
      price,
    }));
  }

  /** @param tokens undefined: all; unknown ones are left out */
  async prices(tokens: readonly string[] | undefined): Promise<Prices> {
    const { rows } = await this.#database.run(this.#prices, {});
    const wanted = tokens === undefined ? null : new Set(tokens);
    const found = rows.filter(({ token }) => wanted?.has(token) ?? true);
    return {
      data: byToken(found, ({ price, price_decimals }) => ({
        // The nearest number to the decimal: dividing would round twice.
        price: Number(`${price}e-${price_decimals}`),
      })),
      lastUpdateTimestamp: Math.max(0, ...found.map(({ time }) => time)),
    };
  }
}

/** With no prototype: a token may have any name. */
function byToken<Value>(
  rows: readonly PriceRow[],
  value: (row: PriceRow) => Value,
): Record<string, Value> {
  const values: Record<string, Value> = Object.create(null);
  for (const row of rows) values[row.token] = value(row);
  return values;
}
