import { dayOf, daysBetween } from "../calendar-day.ts";
import { FeedError } from "../consumer/feed-error.ts";
import type { ReadItem } from "../consumer/parse-feed.ts";
import type { Deprecation } from "../feeds/deprecation.ts";
import type { CalendarDay } from "../notice.ts";

export interface CheckOptions {
  /** A model that shuts down within so many days fails the check, as one that has shut down does. @default 30 */
  readonly withinDays?: number;
  /** Labels or slugs of the providers that are meant; empty: all. @default [] */
  readonly providers?: readonly string[];
  /** @default the present day in UTC */
  readonly today?: CalendarDay;
}

/** What a feed knows of one model that was asked for. */
export interface ModelCheck {
  /** As it was asked for. */
  readonly model: string;
  /**
   * `ending`: shut down, or shutting down within the days asked for; `deprecated`: later, or nobody
   * says when; `unknown`: the feed has nothing on it, which does not mean that it is safe.
   */
  readonly verdict: "ending" | "deprecated" | "unknown";
  /** One for each provider that lists the model; the soonest shutdown first, those without a date last. */
  readonly notices: readonly ModelNotice[];
}

export interface ModelNotice extends Required<Deprecation> {
  /** The provider's page. */
  readonly url: string;
  /** Until the shutdown; negative where it is over; null where it has no date. */
  readonly days_left: number | null;
}

/**
 * Looks models up in a feed: by the id as the provider writes it, or by another id that the
 * provider gives for the same model. Nothing is guessed from a likeness of names.
 * @throws FeedError a provider is asked for of which the feed has nothing
 */
export function checkModels(
  models: Iterable<string>,
  feed: { readonly items: readonly ReadItem[] },
  options: CheckOptions = {},
): readonly ModelCheck[] {
  const { withinDays = 30, providers = [], today = dayOf(new Date()) } = options;
  const meant = meantProviders(providers, feed.items);
  const byId = new Map<string, ModelNotice[]>();
  const byAlias = new Map<string, ModelNotice[]>();
  for (const { url, _deprecation } of feed.items) {
    const { model_id, aliases, provider, shutdown_date } = _deprecation;
    if (model_id === "" || (meant.size > 0 && !meant.has(slugOf(provider)))) continue;
    const days_left = shutdown_date === "" ? null : daysBetween(today, shutdown_date);
    const notice = { ..._deprecation, url, days_left };
    append(byId, model_id, notice);
    for (const alias of aliases) append(byAlias, alias, notice);
  }
  return [...new Set(models)].map((model) => {
    const named = byId.get(model) ?? [];
    // What a provider says of the very id is nearer than what it says of another that it equals.
    const alike = (byAlias.get(model) ?? []).filter(
      ({ provider }) => !named.some((notice) => notice.provider === provider),
    );
    const notices = [...named, ...alike].sort((a, b) => daysLeft(a) - daysLeft(b));
    const [soonest] = notices;
    if (soonest === undefined) return { model, verdict: "unknown", notices };
    return { model, verdict: daysLeft(soonest) <= withinDays ? "ending" : "deprecated", notices };
  });
}

/** A provider that is misspelled would otherwise pass every check. */
function meantProviders(asked: readonly string[], items: readonly ReadItem[]): ReadonlySet<string> {
  const labels = new Set(items.map(({ _deprecation }) => _deprecation.provider));
  const slugs = new Set([...labels].map(slugOf));
  const absent = asked.find((provider) => !slugs.has(slugOf(provider)));
  if (absent === undefined) return new Set(asked.map(slugOf));
  const there = [...labels].filter((label) => label !== "").join(", ");
  throw new FeedError(`the feed has nothing of '${absent}'; it has ${there || "no providers"}`);
}

function append(map: Map<string, ModelNotice[]>, id: string, notice: ModelNotice): void {
  const notices = map.get(id);
  if (notices === undefined) map.set(id, [notice]);
  else notices.push(notice);
}

const daysLeft = ({ days_left }: ModelNotice): number => days_left ?? Number.MAX_SAFE_INTEGER;

/** A label as it stands in paths, so that either names the provider. */
const slugOf = (provider: string): string => provider.toLowerCase().replace(/[^a-z0-9]+/g, "-");
