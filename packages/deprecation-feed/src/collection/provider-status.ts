import type { Validators } from "../fetching/fetch-text.ts";

/** How the reading of one provider's page stands. */
export interface ProviderStatus extends Validators {
  readonly provider: string;
  readonly slug: string;
  /** `stale`: the last run could not read the page; the rows are those of the last good one. */
  readonly state: "fresh" | "stale";
  /** Why it is stale; empty where it is fresh. */
  readonly reason: string;
  /** ISO 8601. */
  readonly last_checked: string;
  /** ISO 8601; empty where there never was a good run. */
  readonly last_good: string;
  /** Models on the page in the last good run. */
  readonly models: number;
}
