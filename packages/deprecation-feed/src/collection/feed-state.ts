import { type Catalogue, emptyCatalogue } from "./catalogue.ts";
import type { ProviderStatus } from "./provider-status.ts";

/** What one run leaves to the next. */
export interface FeedState {
  /** The version of the program that read the pages; another one reads them again, changed or not. */
  readonly program: string;
  /** When the last run was, in ISO 8601; empty before the first. */
  readonly checked_at: string;
  readonly catalogue: Catalogue;
  readonly statuses: readonly ProviderStatus[];
}

/** What a first run starts from. */
export const emptyState: FeedState = {
  program: "",
  checked_at: "",
  catalogue: emptyCatalogue,
  statuses: [],
};
