import { RefusalError, refuse } from "../engine/refusal.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import { reportedSymbol, reportedTrade, reportOf } from "../reports/account-report.ts";
import type { FormReader } from "../wire/form-reader.ts";

export interface ReportAnswer {
  readonly type: "application/json" | "text/csv";
  readonly body: string;
  /** How many of the oldest rows each list lacks, such as `trades=12`; null: none. */
  readonly leftOut: string | null;
}

const lists = ["trades", "equity"] as const;
const parts = ["summary", "symbols", "days", ...lists] as const;

/**
 * GET /control/report. Defaults: `account_id` the first account, `format` json, `part` all (for csv, summary).
 * @param only the only account that the caller may see; null: all
 * @throws RefusalError an unknown account, part or format
 */
export function answerReport(
  market: PaperMarket,
  form: FormReader,
  only: string | null,
): ReportAnswer {
  const format = form.memberOr("format", ["json", "csv"]);
  const first = only ?? market.snapshot("Account")[0]?.accountId;
  const account_id = form.optionalText("account_id") ?? first;
  const isHidden = only !== null && account_id !== only;
  const sources = isHidden ? null : market.reportSources(account_id ?? "");
  if (sources === null) throw new RefusalError(refuse.unknownAccount(account_id ?? ""));
  const onlyPart = form.optionalText("part") === undefined ? null : form.member("part", parts);
  const left_out: { trades?: number; equity?: number } = {};
  const content = {
    summary: () => reportOf(sources.summary()),
    symbols: () => sources.symbols().map(reportedSymbol),
    days: () => sources.days(),
    trades: () => {
      const { rows, leftOut } = sources.trades();
      left_out.trades = leftOut;
      return rows.flatMap((trade) => {
        const instrument = market.instrument(trade.symbol);
        return instrument === undefined ? [] : [reportedTrade(instrument, trade)];
      });
    },
    equity: () => {
      const { rows, leftOut } = sources.equity();
      left_out.equity = leftOut;
      return rows.map(({ time, balance, equity }) => ({
        time: new Date(time).toISOString(),
        balance: balance / 100,
        equity: equity / 100,
      }));
    },
  };
  const leftOut = (): string | null => {
    const cut = lists.filter((list) => (left_out[list] ?? 0) > 0);
    return cut.map((list) => `${list}=${left_out[list]}`).join(", ") || null;
  };
  if (format === "csv") {
    const rows = [content[onlyPart ?? "summary"]()].flat();
    const body = csv(rows, columnsOf[onlyPart ?? "summary"]);
    return { type: "text/csv", body, leftOut: leftOut() };
  }
  const report = Object.fromEntries(
    parts
      .filter((part) => onlyPart === null || part === onlyPart)
      .map((part) => [part, content[part]()] as const),
  );
  const body = JSON.stringify({ ...report, left_out });
  return { type: "application/json", body, leftOut: leftOut() };
}

/** Columns of tables that may be empty; a summary always has a row. */
const columnsOf = {
  summary: [],
  symbols: [
    ...["symbol", "side", "trades", "wins", "amount", "gross_profit", "swap", "commission"],
    "net_profit",
  ],
  days: ["date", "equity", "return"],
  trades: [
    ...["trade_id", "order_id", "close_order_id", "symbol", "side", "amount", "open_time"],
    ...["close_time", "open", "close", "pips", "gross_profit", "swap", "commission", "net_profit"],
    ...["client_tag", "close_client_tag"],
  ],
  equity: ["time", "balance", "equity"],
};

/** Only tags may need quotes. */
function csv(rows: readonly object[], names: readonly string[]): string {
  const columns = names.length > 0 ? names : Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => {
    const values: Readonly<Record<string, unknown>> = { ...row };
    return columns.map((name) => quoted(String(values[name] ?? ""))).join(",");
  });
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}

const quoted = (text: string): string =>
  /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
