/**
 * The limits on an account:
 * - `N` none
 * - `W` warning: its equity is below the maintenance margin, nothing can be opened
 * - `Y` margin call: its positions were closed, nothing can be opened until the trading day ends
 * - `Q` equity stop: its positions were closed, nothing can be opened until the trading day ends
 * - `A` equity alert
 */
export type MarginCallState = "N" | "W" | "Y" | "Q" | "A";

/** A row of the Account table. Key: `accountId`. Money is in the account's currency, to the cent. */
export interface AccountRecord {
  readonly t: 6;
  readonly ratePrecision: number;
  /** What requests take as `account_id`. */
  readonly accountId: string;
  /** The id padded with leading zeros. */
  readonly accountName: string;
  /** Without the profit or loss of open positions. */
  readonly balance: number;
  /** `balance + grossPL`, always. */
  readonly equity: number;
  /** Profit or loss of all open positions. */
  readonly grossPL: number;
  /** What the equity has changed since the trading day began. */
  readonly dayPL: number;
  /** Maintenance margin of the open positions. */
  readonly usdMr: number;
  /** Liquidation margin of the open positions. */
  readonly usdMr3: number;
  /** `equity - usdMr`, always. */
  readonly usableMargin: number;
  /** `equity - usdMr3`, always. */
  readonly usableMargin3: number;
  /** `usableMargin` as percent of the equity; 0 where there is no equity. */
  readonly usableMarginPerc: number;
  readonly usableMargin3Perc: number;
  readonly mc: MarginCallState;
  /** When `mc` last left `N`: 17 digits; empty while it is `N`. */
  readonly mcDate: string;
  /** `Y`: bought and sold positions of one symbol exist side by side. `N`: an order closes opposite trades first. */
  readonly hedging: "Y" | "N";
}
