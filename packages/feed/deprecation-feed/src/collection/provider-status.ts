import type { UnreadLine } from "../extraction/unread.ts";
import type { Validators } from "../fetching/fetch-text.ts";
import type { HeldRow } from "./judge-rows.ts";
import type { PageCondition } from "./page-condition.ts";

/** Whether a provider's page could be read. */
export interface ProviderStatus extends Validators {
  readonly provider: string;
  readonly slug: string;
  readonly state: PageCondition;
  /** Why it is not fresh; empty if it is. */
  readonly reason: string;
  /**
   * What is the matter: the page could not be fetched, is not a list of models, or has changes that a person should look
   * at. Empty if it is fresh.
   */
  readonly failure: "" | "fetch" | "page" | "change";
  /** The changes held back until `build --accept`. */
  readonly held_back: readonly HeldRow[];
  /** Parts of the page that seem to give the end of a model and could not be read. */
  readonly unread: readonly UnreadLine[];
  /** Hashes of unread parts that an operator has accepted as no news. */
  readonly accepted_unread: readonly string[];
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
