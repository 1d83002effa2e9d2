import type { Feed } from "../consumer/read-feed.ts";
import { dayOf, daysBetween } from "../notice/calendar-day.ts";
import { slugOf } from "./check-models.ts";

/** A reason why a check cannot be relied on: the feed does not know what its source says today. */
export interface FeedWarning {
  /** The provider's label; empty: all of them. */
  readonly provider: string;
  readonly message: string;
}

/** Days after which a feed that is read daily has been forgotten. */
const oldAfterDays = 3;

/**
 * What a feed says of its own gaps. A feed that has no status beside it gives no warning, but for one
 * without a single model.
 * @param providers labels or slugs of those that are meant; empty: all
 */
export function feedWarnings(
  { items, status }: Pick<Feed, "items" | "status">,
  providers: readonly string[] = [],
  now: Date = new Date(),
): readonly FeedWarning[] {
  const warnings: FeedWarning[] = [];
  if (!items.some(({ _deprecation }) => _deprecation.model_id !== ""))
    warnings.push({ provider: "", message: "the feed lists no model at all" });
  if (status === null) return warnings;
  const age = daysBetween(status.checked_at.slice(0, 10), dayOf(now));
  if (age >= oldAfterDays)
    warnings.push({
      provider: "",
      message: `the feed was last brought up to date ${age} days ago`,
    });
  const meant = new Set(providers.map(slugOf));
  for (const { provider, slug, state, reason, last_good } of status.providers) {
    if (state === "fresh" || (meant.size > 0 && !meant.has(slugOf(provider)) && !meant.has(slug)))
      continue;
    const since =
      last_good === "" ? "has never been read" : `was last read on ${last_good.slice(0, 10)}`;
    warnings.push({ provider, message: `the page of ${provider} ${since}: ${reason}` });
  }
  return warnings;
}
