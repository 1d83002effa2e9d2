import { isSymbol } from "@proj/trading-client/wire";
import { type Instrument, pointsOf } from "../instruments/instrument.ts";
import { type BidAndAsk, bridge } from "./candle-bridge.ts";
import type { CsvLine } from "./csv-lines.ts";
import { parseCsvTime } from "./csv-time.ts";
import { PriceFileError } from "./price-file-error.ts";

/** The prices in a record: a single one, or a candle's in the order they are played. */
export interface CsvPrice {
  readonly instrument: Instrument;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly prices: readonly BidAndAsk[];
}

/** Defaults for all records of a file. */
export interface CsvDefaults {
  /** Symbol of files without a symbol column. */
  readonly symbol: string | undefined;
  /** Zone of times without one, like `Z` or `-05:00`. */
  readonly zone: string;
}

const timeColumns = [
  ...["time", "datetime", "timestamp", "gmttime", "timeutc", "localtime", "utc", "date"],
];
/** Accepted names of each column, in order of preference. */
const priceNames: Readonly<Record<string, readonly string[]>> = {
  bid: ["bid", "bidprice"],
  ask: ["ask", "askprice"],
};
const symbolColumns = ["symbol", "currency", "instrument", "pair"];

/** The last bid and ask of each symbol, in points. */
export type LastQuotes = Readonly<Record<string, BidAndAsk>>;

/**
 * Reads `bid` and `ask`, or `bidopen` to `askclose`, or `open` to `close` (which are bids). Missing asks are
 * the bids plus the record's `spread` in points, or else the instrument's. Of a bid and an ask, the one that has not
 * changed may be empty.
 * @returns null if the record's instrument is not configured, or its price was never complete
 * @throws PriceFileError the record has no symbol, time or valid price
 */
export function readCsvPrice(
  line: CsvLine,
  instruments: ReadonlyMap<string, Instrument>,
  { symbol, zone }: CsvDefaults,
  last: LastQuotes = {},
): CsvPrice | null {
  const values = withPriceNames(line.values);
  const name = first(values, symbolColumns) ?? symbol;
  if (name === undefined || !isSymbol(name)) throw failure(line, "it has no symbol");
  const instrument = instruments.get(name);
  if (instrument === undefined) return null;
  // Date and time of day may be separate columns.
  const date = values.date !== undefined && values.clock !== undefined ? `${values.date} ` : "";
  const time = parseCsvTime(date + (values.clock ?? first(values, timeColumns) ?? ""), zone);
  if (Number.isNaN(time)) throw failure(line, "it has no time");
  const at = (column: string) => readRate({ ...line, values }, instrument, column);
  const spread = Number(values.spread || Number.NaN);
  const price = (bidColumn: string, askColumn: string): BidAndAsk => {
    const bid = at(bidColumn);
    const added = Number.isSafeInteger(spread) ? spread : instrument.spread;
    const ask = values[askColumn] === undefined ? bid + added : at(askColumn);
    if (ask < bid) throw failure(line, "an ask is below its bid");
    return { bid, ask };
  };
  if (values.bid === "" || values.ask === "") {
    const before = last[instrument.symbol];
    if (before === undefined) return null;
    const { bid, ask } = before;
    const quote = {
      bid: values.bid === "" ? bid : at("bid"),
      ask: values.ask === "" ? ask : at("ask"),
    };
    // One of both may overtake the other for a moment.
    return { instrument, time, prices: [{ ...quote, ask: Math.max(quote.bid, quote.ask) }] };
  }
  if (values.bid !== undefined) return { instrument, time, prices: [price("bid", "ask")] };
  const prefix = values.bidclose === undefined ? "" : "bid";
  const candle = {
    open: price(`${prefix}open`, "askopen"),
    high: price(`${prefix}high`, "askhigh"),
    low: price(`${prefix}low`, "asklow"),
    close: price(`${prefix}close`, "askclose"),
  };
  const bids = Object.values(candle).map(({ bid }) => bid);
  if (candle.high.bid < Math.max(...bids) || candle.low.bid > Math.min(...bids))
    throw failure(line, "its high or low is inside the candle");
  // The same candle is walked in the same way in every run.
  const seed = Math.floor(time / 1000) * 64 + (instrument.offerId % 64);
  return { instrument, time, prices: bridge(candle, seed) };
}

function readRate(line: CsvLine, instrument: Instrument, column: string): number {
  const text = line.values[column];
  const points = text === undefined || text === "" ? 0 : pointsOf(instrument, Number(text));
  if (Number.isSafeInteger(points) && points > 0) return points;
  throw failure(line, `its ${column} is not a rate`);
}

/** Renames the file's price columns to our names. */
function withPriceNames(
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const found = Object.entries(priceNames).flatMap(([name, names]) => {
    const value = first(values, names);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...values, ...Object.fromEntries(found) };
}

function first(
  values: Readonly<Record<string, string>>,
  columns: readonly string[],
): string | undefined {
  const column = columns.find((name) => values[name] !== undefined);
  return column === undefined ? undefined : values[column];
}

function failure(line: CsvLine, reason: string): PriceFileError {
  const text = Object.values(line.values).join(",");
  return new PriceFileError(`A price record cannot be used because ${reason}: ${text}`);
}
