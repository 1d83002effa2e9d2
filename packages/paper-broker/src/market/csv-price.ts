import { isSymbol } from "@proj/trading-client/wire";
import type { CsvLine } from "./csv-lines.ts";
import { type Instrument, pointsOf } from "./instrument.ts";
import { PriceFileError } from "./price-file-error.ts";

/** What a record says of an instrument: one price, or those of a candle in the order in which they come. */
export interface CsvPrice {
  readonly instrument: Instrument;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly prices: readonly BidAndAsk[];
}

/** Points. */
interface BidAndAsk {
  readonly bid: number;
  readonly ask: number;
}

const timeColumns = ["time", "date", "datetime", "timestamp"];
const symbolColumns = ["symbol", "currency", "instrument", "pair"];

/**
 * Reads `bid` and `ask`, or `bidopen` to `askclose`, or `open` to `close` (which are bids). Without
 * asks the instrument's spread is added.
 * @param symbol of every record of a file that does not say
 * @returns null where the record is of an instrument that there is not
 * @throws PriceFileError something in it is no price
 */
export function readCsvPrice(
  line: CsvLine,
  instruments: ReadonlyMap<string, Instrument>,
  symbol: string | undefined,
): CsvPrice | null {
  const { values } = line;
  const name = first(values, symbolColumns) ?? symbol;
  if (name === undefined || !isSymbol(name)) throw failure(line, "it names no symbol");
  const instrument = instruments.get(name);
  if (instrument === undefined) return null;
  const time = parseTime(first(values, timeColumns) ?? "");
  if (Number.isNaN(time)) throw failure(line, "it has no time");
  const at = (column: string) => readRate(line, instrument, column);
  const price = (bidColumn: string, askColumn: string): BidAndAsk => {
    const bid = at(bidColumn);
    const ask = values[askColumn] === undefined ? bid + instrument.spread : at(askColumn);
    if (ask < bid) throw failure(line, "an ask is below its bid");
    return { bid, ask };
  };
  if (values.bid !== undefined) return { instrument, time, prices: [price("bid", "ask")] };
  const prefix = values.bidclose === undefined ? "" : "bid";
  const [open, high, low, close] = [
    price(`${prefix}open`, "askopen"),
    price(`${prefix}high`, "askhigh"),
    price(`${prefix}low`, "asklow"),
    price(`${prefix}close`, "askclose"),
  ];
  // A candle that rises is taken to have fallen first.
  const prices = close.bid >= open.bid ? [open, low, high, close] : [open, high, low, close];
  return { instrument, time, prices };
}

function readRate(line: CsvLine, instrument: Instrument, column: string): number {
  const text = line.values[column];
  const points = text === undefined || text === "" ? 0 : pointsOf(instrument, Number(text));
  if (Number.isSafeInteger(points) && points > 0) return points;
  throw failure(line, `its ${column} is no rate`);
}

/** Seconds or milliseconds since the epoch, or ISO 8601, in UTC where it does not say. NaN: it is no time. */
function parseTime(text: string): number {
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  if (/^\d{12,14}$/.test(text)) return Number(text);
  const [, date, time = "00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ??
    [];
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`);
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
  return new PriceFileError(`The prices have a record that cannot be used, as ${reason}: ${text}`);
}
