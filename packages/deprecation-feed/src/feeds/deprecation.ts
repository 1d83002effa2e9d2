import type { ModelStatus } from "../collection/model-status.ts";
import type { CalendarDay } from "../notice/notice.ts";

/** The extension object of an item: one model of one provider. Dates are `YYYY-MM-DD` or empty. */
export interface Deprecation {
  readonly provider: string;
  readonly model_id: string;
  /** Empty where the feed does not say. */
  readonly status: ModelStatus | "";
  readonly shutdown_date: CalendarDay;
  /** The first day from which calls may fail, of a model without a shutdown date. */
  readonly earliest_shutdown_date: CalendarDay;
  /** What the page says in place of a shutdown date; empty where it gives one. */
  readonly shutdown_text: string;
  readonly deprecation_date: CalendarDay;
  readonly announcement_date: CalendarDay;
  readonly replacement_models: readonly string[];
  /** Other ids of the same model, as the page gives them. */
  readonly aliases: readonly string[];
  /** Empty: everywhere. */
  readonly regions: readonly string[];
  readonly first_observed: CalendarDay;
  /** Only where the notice has left its page: the day it was last seen there. */
  readonly last_observed?: CalendarDay;
}

/** The extension object of an item that says what of a model has changed, or that it left its page. */
export interface DeprecationChange {
  readonly provider: string;
  readonly model_id: string;
  /** The member of `Deprecation` that changed; `last_observed` is set where the model left its page. */
  readonly field: string;
  readonly from: string;
  readonly to: string;
}
