import { type Catalogue, emptyCatalogue } from "./catalogue.ts";
import type { PageText } from "./page-text.ts";
import type { ProviderStatus } from "./provider-status.ts";

/** What one run leaves for the next. */
export interface FeedState {
  /** The version of the program that read the pages; after an upgrade all pages are read again. */
  readonly program: string;
  /** The time of the last run in ISO 8601; empty before the first. */
  readonly checked_at: string;
  readonly catalogue: Catalogue;
  readonly statuses: readonly ProviderStatus[];
  /** The texts of the pages by slug. */
  readonly pages: ReadonlyMap<string, PageText>;
}

/** The state before the first run. */
export const emptyState: FeedState = {
  program: "",
  checked_at: "",
  catalogue: emptyCatalogue,
  statuses: [],
  pages: new Map(),
};
