/**
 * The restrictions on an account:
 * - `N` none
 * - `W` warning: its equity is below the maintenance margin; it cannot open positions
 * - `Y` margin call: its positions were closed; it cannot open positions until the trading day ends
 * - `Q` equity stop: its positions were closed; it cannot open positions until the trading day ends
 * - `A` equity alert
 */
export type MarginCallState = "N" | "W" | "Y" | "Q" | "A";

/** A row of the Account table. Key: `accountId`. Money is in the account's currency, to the cent. */
export interface AccountRecord {
  readonly t: 6;
  readonly ratePrecision: number;
  /** Requests send it as `account_id`. */
  readonly accountId: string;
  /** The id padded with leading zeros. */
  readonly accountName: string;
  /** Without the profit or loss of open positions. */
  readonly balance: number;
  /** Always `balance + grossPL`. */
  readonly equity: number;
  /** Profit or loss of all open positions. */
  readonly grossPL: number;
  /** Change of the equity since the trading day began. */
  readonly dayPL: number;
  /** Maintenance margin of the open positions. */
  readonly usdMr: number;
  /** Liquidation margin of the open positions. */
  readonly usdMr3: number;
  /** Always `equity - usdMr`. */
  readonly usableMargin: number;
  /** Always `equity - usdMr3`. */
  readonly usableMargin3: number;
  /** `usableMargin` in percent of the equity; 0 without equity. */
  readonly usableMarginPerc: number;
  readonly usableMargin3Perc: number;
  readonly mc: MarginCallState;
  /** When `mc` last left `N`: 17 digits; empty while it is `N`. */
  readonly mcDate: string;
  /** `Y`: a symbol can have bought and sold positions at once. `N`: an order closes opposite trades first. */
  readonly hedging: "Y" | "N";
}
