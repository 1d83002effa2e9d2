import { PriceFileError } from "./price-file-error.ts";

/** The format of a price file. */
export interface CsvForm {
  /** Lower case, letters only. */
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** Whether its first line names the columns. */
  readonly hasNames: boolean;
  /** Zone of times without one. */
  readonly zone: string;
}

/** Exports of MetaTrader 5 have a column for the date and one for the time of day. */
const dateAndClock = /^date,time(,|$)/;

/** HistData files have no column names and use New York winter time all year. */
const histData: readonly (readonly [form: RegExp, columns: readonly string[]])[] = [
  [/^\d{8} \d{6};/, ["time", "open", "high", "low", "close", "volume"]],
  [/^\d{8} \d{9},/, ["time", "bid", "ask", "volume"]],
  [/^\d{4}\.\d\d\.\d\d,\d\d:\d\d,/, ["date", "clock", "open", "high", "low", "close", "volume"]],
];
const histDataZone = "-05:00";

/** @throws PriceFileError the file has no column names and is not a known format */
export function csvForm(firstLine: string): CsvForm {
  const line = firstLine.replace(/^\uFEFF/, "").trim();
  const delimiter = [";", "\t"].find((mark) => line.includes(mark)) ?? ",";
  const known = histData.find(([form]) => form.test(line));
  if (known !== undefined)
    return { columns: known[1], delimiter, hasNames: false, zone: histDataZone };
  if (/^"?\d/.test(line)) {
    throw new PriceFileError(
      "The price file has no line of column names and is not in a HistData format: add a line such as time,bid,ask",
    );
  }
  const columns = line.split(delimiter).map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ""));
  const isSplit = dateAndClock.test(columns.join());
  const named = isSplit ? ["date", "clock", ...columns.slice(2)] : columns;
  return { columns: named, delimiter, hasNames: true, zone: "Z" };
}
