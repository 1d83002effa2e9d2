import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PriceFeeds, Prices } from "@proj/points-client/wire";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";

interface PriceRow {
  readonly token: string;
  readonly price: string;
  readonly price_decimals: number;
  readonly time: number;
}

/** All prices as of some event, in both formats of the API. */
interface AllPrices {
  readonly feeds: PriceFeeds;
  readonly prices: Prices;
}

const findLastSeq = query(({ db }: PointsSource) => db.selectFrom("ledger").select("last_seq"));
const readPrices = query(({ db, dialect }: PointsSource) =>
  db
    .selectFrom("prices")
    .select(["token", "price", "price_decimals", "time"])
    .orderBy("token", (order) => order.collate(dialect.byteOrder)),
);
const readPrice = query(({ db }: PointsSource) =>
  db
    .selectFrom("prices")
    .select(["token", "price", "price_decimals", "time"])
    .where("token", "=", parameter<string>("token")),
);

/**
 * Named tokens are looked up by key, however many others there are. The list of all prices is read once, shared
 * by all callers, and read again after another event was stored.
 */
export class PriceReader {
  readonly #database: PointsDatabase;
  #all: { readonly seq: number; readonly prices: Promise<AllPrices> } | null = null;

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  async feeds(): Promise<PriceFeeds> {
    return (await this.#readAll()).feeds;
  }

  /** @param tokens undefined: all; unknown ones are left out */
  async prices(tokens: readonly string[] | undefined): Promise<Prices> {
    if (tokens === undefined) return (await this.#readAll()).prices;
    const found: PriceRow[] = [];
    for (const token of new Set(tokens))
      found.push(...(await this.#database.run(readPrice, { token })).rows);
    return pricesOf(found);
  }

  async #readAll(): Promise<AllPrices> {
    // Read before the prices: if an event is stored in between, they are read again next time.
    const [ledger] = (await this.#database.run(findLastSeq)).rows;
    const seq = ledger?.last_seq ?? 0;
    if (this.#all?.seq === seq) return this.#all.prices;
    const reading = { seq, prices: this.#readRows() };
    this.#all = reading;
    // A failed read is not kept.
    reading.prices.catch(() => {
      if (this.#all === reading) this.#all = null;
    });
    return reading.prices;
  }

  async #readRows(): Promise<AllPrices> {
    const { rows } = await this.#database.run(readPrices, {});
    const feeds = byToken(rows, ({ time, price_decimals, price }) => ({
      pricePublishTime: time,
      priceDecimals: price_decimals,
      price,
    }));
    return { feeds, prices: pricesOf(rows) };
  }
}

const pricesOf = (rows: readonly PriceRow[]): Prices => ({
  data: byToken(rows, ({ price, price_decimals }) => ({
    // Parsed as a decimal: dividing would round twice.
    price: Number(`${price}e-${price_decimals}`),
  })),
  lastUpdateTimestamp: rows.reduce((latest, { time }) => Math.max(latest, time), 0),
});

/** With no prototype: a token may have any name. */
function byToken<Value>(
  rows: readonly PriceRow[],
  value: (row: PriceRow) => Value,
): Record<string, Value> {
  const values: Record<string, Value> = Object.create(null);
  for (const row of rows) values[row.token] = value(row);
  return values;
}
