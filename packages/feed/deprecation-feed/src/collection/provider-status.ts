import type { Validators } from "../fetching/fetch-text.ts";
import type { RowChange } from "./row-changes.ts";

/** Whether a provider's page could be read. */
export interface ProviderStatus extends Validators {
  readonly provider: string;
  readonly slug: string;
  /** `stale`: the last run could not read the page; the rows are from the last good run. */
  readonly state: "fresh" | "stale";
  /** Why it is stale; empty if fresh. */
  readonly reason: string;
  /**
   * What made it stale: the page could not be fetched, could not be read as a list of models, or has changed so that a
   * person should look at it. Empty if fresh.
   */
  readonly failure: "" | "fetch" | "page" | "change";
  /** The changes held back until `build --accept`. */
  readonly held_back: readonly RowChange[];
  /** When an operator last accepted changes, in ISO 8601; empty: never. */
  readonly accepted_at: string;
  /** The end of the page in the last good run, to detect a truncated one. */
  readonly tail: string;
  /** ISO 8601. */
  readonly last_checked: string;
  /** ISO 8601; empty: there was no good run yet. */
  readonly last_good: string;
  /** How many models were on the page in the last good run. */
  readonly models: number;
}
