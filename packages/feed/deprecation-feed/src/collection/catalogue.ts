import type { RolledNotice } from "../extraction/roll-up.ts";
import type { CalendarDay } from "../notice/notice.ts";
import type { ModelStatus } from "./model-status.ts";

/** Everything known about deprecations, over all runs; the feeds are written from it. */
export interface Catalogue {
  /** One per provider and model, sorted by slug and model id. */
  readonly notices: readonly KnownNotice[];
  /** Oldest first. */
  readonly changes: readonly Change[];
}

/** One model of one provider, as its page lists it now or last listed it. */
export interface KnownNotice extends RolledNotice {
  /** The provider's label. */
  readonly provider: string;
  readonly slug: string;
  readonly status: ModelStatus;
  /** The page, with the anchor of the row. */
  readonly url: string;
  /** When it was first seen, in ISO 8601; never changes. */
  readonly date_published: string;
  /** When its content last changed. */
  readonly date_modified: string;
  /** The day it was last seen, once it has disappeared from its page; empty while it is listed. */
  readonly last_observed: CalendarDay;
}

/**
 * A date, a status or a replacement that changed, or a model that disappeared from its page (`last_observed` was
 * set) or came back.
 */
export interface Change {
  readonly provider: string;
  readonly slug: string;
  readonly model_id: string;
  readonly field: ChangedField;
  /** A day, a status, or the replacements separated by commas; empty: none. */
  readonly from: string;
  readonly to: string;
  /** When the change was first seen, in ISO 8601. */
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

/** The time of the newest change; null: nothing is known. */
export function newestChange({ notices, changes }: Catalogue): string | null {
  const times = [
    ...notices.map((notice) => notice.date_modified),
    ...changes.map((change) => change.date_observed),
  ];
  return times.sort().at(-1) ?? null;
}
