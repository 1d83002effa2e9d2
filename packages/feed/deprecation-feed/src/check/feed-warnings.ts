import type { Feed } from "../consumer/read-feed.ts";
import { dayOf, daysBetween } from "../notice/calendar-day.ts";
import { slugOf } from "./check-models.ts";

/** Why a check is not reliable: the feed does not know what its source says today. */
export interface FeedWarning {
  /** The provider's label; empty: all providers. */
  readonly provider: string;
  readonly message: string;
}

/** A daily feed that is this many days old is no longer updated. */
const oldAfterDays = 3;

/**
 * The gaps that a feed reports about itself. A feed without a status file gives no warnings, unless it has no
 * models at all.
 * @param providers labels or slugs of the providers to check; empty: all
 */
export function feedWarnings(
  { items, status }: Pick<Feed, "items" | "status">,
  providers: readonly string[] = [],
  now: Date = new Date(),
): readonly FeedWarning[] {
  const warnings: FeedWarning[] = [];
  if (!items.some(({ _deprecation }) => _deprecation.model_id !== ""))
    warnings.push({ provider: "", message: "the feed lists no models at all" });
  if (status === null) return warnings;
  const age = daysBetween(status.checked_at.slice(0, 10), dayOf(now));
  if (age >= oldAfterDays)
    warnings.push({
      provider: "",
      message: `the feed was last updated ${age} days ago`,
    });
  const meant = new Set(providers.map(slugOf));
  for (const { provider, slug, state, reason, last_good } of status.providers) {
    if (state === "fresh" || (meant.size > 0 && !meant.has(slugOf(provider)) && !meant.has(slug)))
      continue;
    const since =
      state === "read with gaps"
        ? "was read with gaps"
        : last_good === ""
          ? "has never been read"
          : `was last read on ${last_good.slice(0, 10)}`;
    warnings.push({ provider, message: `the page of ${provider} ${since}: ${reason}` });
  }
  return warnings;
}
