import type { Validators } from "../fetching/fetch-text.ts";
import type { RowChange } from "./row-changes.ts";

/** The state of the reading of one provider's page. */
export interface ProviderStatus extends Validators {
  readonly provider: string;
  readonly slug: string;
  /** `stale`: the last run could not read the page; the rows are those of the last good one. */
  readonly state: "fresh" | "stale";
  /** Why it is stale; empty where it is fresh. */
  readonly reason: string;
  /**
   * What made it stale: its page could not be had, could not be read as a list of models, or has
   * changed in a way that a person should look at; empty where it is fresh.
   */
  readonly failure: "" | "fetch" | "page" | "change";
  /** The changes that are held back, until `build --accept`. */
  readonly held_back: readonly RowChange[];
  /** When its changes were last accepted by a person, in ISO 8601; empty: never. */
  readonly accepted_at: string;
  /** How the page ended in the last good run, to tell one that is cut off. */
  readonly tail: string;
  /** ISO 8601. */
  readonly last_checked: string;
  /** ISO 8601; empty where there never was a good run. */
  readonly last_good: string;
  /** Models on the page in the last good run. */
  readonly models: number;
}
