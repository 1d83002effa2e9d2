import type { ModelStatus } from "../collection/model-status.ts";
import type { CalendarDay } from "../notice/notice.ts";

/** The extension object of an item: one model of one provider. Dates are `YYYY-MM-DD` or empty. */
export interface Deprecation {
  readonly provider: string;
  readonly model_id: string;
  /** Empty: the feed does not say. */
  readonly status: ModelStatus | "";
  readonly shutdown_date: CalendarDay;
  /** The first day on which calls may fail, for a model without a shutdown date. */
  readonly earliest_shutdown_date: CalendarDay;
  /** What the page says instead of a shutdown date; empty if it gives one. */
  readonly shutdown_text: string;
  readonly deprecation_date: CalendarDay;
  readonly announcement_date: CalendarDay;
  readonly replacement_models: readonly string[];
  /** Other ids that the page gives for the same model. */
  readonly aliases: readonly string[];
  /** Empty: everywhere. */
  readonly regions: readonly string[];
  readonly first_observed: CalendarDay;
  /** The day it was last seen; set only once the notice has disappeared from its page. */
  readonly last_observed?: CalendarDay;
}

/** The extension object of an item about a change of a model, including its disappearance from the page. */
export interface DeprecationChange {
  readonly provider: string;
  readonly model_id: string;
  /** The changed member of `Deprecation`; `last_observed`: the model disappeared from its page or came back. */
  readonly field: string;
  readonly from: string;
  readonly to: string;
}
