import type { ModelCheck } from "./check-models.ts";
import type { FeedWarning } from "./feed-warnings.ts";

/** Where a model is named; line and column count from 1, and are null if only the file is known. */
export interface ModelPlace {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** The verdict on every model, and where the models were found. */
export interface CheckReport {
  /** The feed's location. */
  readonly feed: string;
  readonly within_days: number;
  readonly models: readonly CheckedModel[];
  /** Reasons why the feed may have missed a shutdown. */
  readonly warnings: readonly FeedWarning[];
}

export interface CheckedModel extends ModelCheck {
  /** Empty for a model named on the command line. */
  readonly places: readonly ModelPlace[];
  /** For an unknown model: ids that may have been meant. */
  readonly suggestions?: readonly string[];
}

/** The most urgent notice about the model, as a sentence. */
export function checkSentence(
  checked: ModelCheck & { readonly suggestions?: readonly string[] },
): string {
  const { model, verdict, suggestions = [] } = checked;
  const [notice] = checked.notices;
  if (verdict === "unknown" || notice === undefined) {
    const meant = suggestions.length === 0 ? "" : `. Did you mean ${suggestions.join(" or ")}?`;
    return `${model} is unknown: the feed does not list it, which does not mean that it is safe${meant}`;
  }
  const id = notice.model_id === model ? model : `${model} (${notice.model_id})`;
  const replacement =
    notice.replacement_models.length === 0
      ? ""
      : `; replaced by ${notice.replacement_models.join(" or ")}`;
  const gone =
    notice.last_observed === ""
      ? ""
      : `; ${notice.provider} no longer lists it (last seen on ${notice.last_observed})`;
  return `${id} ${shutdown(notice)} (${notice.provider || "provider not given"})${replacement}${gone}`;
}

function shutdown(notice: ModelCheck["notices"][number]): string {
  const { days_left, shutdown_date, shutdown_text, deprecation_date, status } = notice;
  if (days_left === null && status === "active") {
    const first = notice.earliest_shutdown_date;
    return first === "" ? "is active" : `is active, and does not shut down before ${first}`;
  }
  if (days_left === null && status === "shutdown")
    return "was shut down on a day that its page does not give";
  if (days_left === null) {
    const since = deprecation_date === "" ? "is deprecated" : `is deprecated (${deprecation_date})`;
    return `${since}, with no shutdown date${shutdown_text === "" ? "" : `: "${shutdown_text}"`}`;
  }
  if (days_left < 0) return `was shut down on ${shutdown_date}, ${countDays(-days_left)} ago`;
  if (days_left === 0) return `shuts down today, ${shutdown_date}`;
  return `shuts down on ${shutdown_date}, in ${countDays(days_left)}`;
}

const countDays = (days: number): string => (days === 1 ? "1 day" : `${days} days`);
