import type { AccountReport, ReportedTrade } from "@proj/paper-broker";

/** The broker's report on a trader's account. */
export interface AccountStory {
  readonly summary: AccountReport;
  /** ISO 8601, and money. */
  readonly equity: readonly { readonly time: string; readonly equity: number }[];
  readonly trades: readonly ReportedTrade[];
}
