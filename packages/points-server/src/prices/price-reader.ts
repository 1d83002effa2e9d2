import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PriceFeeds, Prices } from "@proj/points-protocol";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";

interface PriceRow {
  readonly token: string;
  readonly price: string;
  readonly price_decimals: number;
  readonly time: number;
}

const readPrices = query(({ db }: PointsSource) =>
  db.selectFrom("prices").select(["token", "price", "price_decimals", "time"]).orderBy("token"),
);
const readPrice = query(({ db }: PointsSource) =>
  db
    .selectFrom("prices")
    .select(["token", "price", "price_decimals", "time"])
    .where("token", "=", parameter<string>("token")),
);

/** Named tokens are looked up by their keys, however many others there are. */
export class PriceReader {
  readonly #database: PointsDatabase;

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  async feeds(): Promise<PriceFeeds> {
    const { rows } = await this.#database.run(readPrices, {});
    return byToken(rows, ({ time, price_decimals, price }) => ({
      pricePublishTime: time,
      priceDecimals: price_decimals,
      price,
    }));
  }

  /** @param tokens undefined: all; unknown ones are left out */
  async prices(tokens: readonly string[] | undefined): Promise<Prices> {
    const found = tokens === undefined ? await this.#all() : await this.#named(tokens);
    return {
      data: byToken(found, ({ price, price_decimals }) => ({
        // The nearest number to the decimal: dividing would round twice.
        price: Number(`${price}e-${price_decimals}`),
      })),
      lastUpdateTimestamp: found.reduce((latest, { time }) => Math.max(latest, time), 0),
    };
  }

  async #all(): Promise<readonly PriceRow[]> {
    return (await this.#database.run(readPrices, {})).rows;
  }

  async #named(tokens: readonly string[]): Promise<readonly PriceRow[]> {
    const found: PriceRow[] = [];
    for (const token of new Set(tokens))
      found.push(...(await this.#database.run(readPrice, { token })).rows);
    return found;
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
