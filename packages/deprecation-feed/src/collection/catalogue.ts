import type { RolledNotice } from "../extraction/roll-up.ts";
import type { CalendarDay } from "../notice/notice.ts";
import type { ModelStatus } from "./model-status.ts";

/** All that is known of deprecations, over all runs: what the feeds are written from. */
export interface Catalogue {
  /** By provider's slug and model id; one for each pair. */
  readonly notices: readonly KnownNotice[];
  /** The oldest first. */
  readonly changes: readonly Change[];
}

/** One model of one provider, as its page says it now or said it last. */
export interface KnownNotice extends RolledNotice {
  /** The provider's label. */
  readonly provider: string;
  readonly slug: string;
  readonly status: ModelStatus;
  /** The page, with the anchor of the row. */
  readonly url: string;
  /** When it was first seen: an ISO 8601 time that never moves. */
  readonly date_published: string;
  /** When what it says last changed. */
  readonly date_modified: string;
  /** The day it was last seen, once it has left its page; empty while it is there. */
  readonly last_observed: CalendarDay;
}

/**
 * A date, a status or a replacement that is another now, or a model that left its page
 * (`last_observed` was set) or came back to it.
 */
export interface Change {
  readonly provider: string;
  readonly slug: string;
  readonly model_id: string;
  readonly field: ChangedField;
  /** A day, a status, or the replacements with commas between them; empty: none. */
  readonly from: string;
  readonly to: string;
  /** When it was first seen, in ISO 8601. */
  readonly date_observed: string;
  readonly url: string;
}

export type ChangedField = (typeof changedFields)[number];
export const changedFields = [
  "announcement_date",
  "deprecation_date",
  "shutdown_date",
  "earliest_shutdown_date",
  "replacement_models",
  "status",
  "last_observed",
] as const;

export const emptyCatalogue: Catalogue = { notices: [], changes: [] };

/** The time of the newest change of anything; null where nothing is known. */
export function newestChange({ notices, changes }: Catalogue): string | null {
  const times = [
    ...notices.map((notice) => notice.date_modified),
    ...changes.map((change) => change.date_observed),
  ];
  return times.sort().at(-1) ?? null;
}
