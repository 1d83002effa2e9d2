import { FeedError } from "../consumer/feed-error.ts";
import type { ReadItem } from "../consumer/parse-feed.ts";
import type { Deprecation } from "../feeds/deprecation.ts";
import { dayOf, daysBetween } from "../notice/calendar-day.ts";
import { ModelNames } from "../notice/model-names.ts";
import type { CalendarDay } from "../notice/notice.ts";
import { platformOf } from "../notice/platforms.ts";

export interface CheckOptions {
  /** A model that shuts down within this many days fails the check, like one that already has. @default 30 */
  readonly withinDays?: number;
  /** Labels or slugs of the providers to check; empty: all. @default [] */
  readonly providers?: readonly string[];
  /** @default the current day in UTC */
  readonly today?: CalendarDay;
}

/** What a feed says about a requested model. */
export interface ModelCheck {
  /** The name as requested. */
  readonly model: string;
  /**
   * `ending`: shut down, or shutting down within the given days; `deprecated`: shutting down later, or without a
   * date; `active`: listed as active, perhaps with an earliest shutdown date; `unknown`: not in the feed, which
   * does not mean that it is safe.
   */
  readonly verdict: "ending" | "deprecated" | "active" | "unknown";
  /** One per provider that lists the model: the earliest shutdown first, those without a date last. */
  readonly notices: readonly ModelNotice[];
}

export interface ModelNotice extends Required<Deprecation> {
  /** The provider's page. */
  readonly url: string;
  /** Until the shutdown; negative if it is over, null if it has no date. */
  readonly days_left: number | null;
}

/**
 * Looks models up in a feed: by the provider's id, by an alias that the provider gives, or by a name that
 * platforms and people use (`openai/…`, `us.anthropic.…`, `…:generateContent`, `ft:…`, `…@20240229`); a name whose dated
 * snapshots the feed lists (`gpt-5`) means the newest of them. A platform's prefix asks for that platform's dates alone.
 * Similar names never match.
 * @throws FeedError the feed has nothing about a requested provider
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
  const names = new ModelNames([...byId.keys(), ...byAlias.keys()]);
  return [...new Set(models)].map((model) => {
    const exact = byId.has(model) || byAlias.has(model) ? [model] : names.resolve(model);
    const ids = exact.length > 0 ? exact : names.snapshotsOf(model);
    const named = ids.flatMap((id) => byId.get(id) ?? []);
    // A notice about exactly this id takes precedence over one about an equivalent id.
    const alike = ids
      .flatMap((id) => byAlias.get(id) ?? [])
      .filter(({ provider }) => !named.some((notice) => notice.provider === provider));
    const notices = ofPlatform(model, [...named, ...alike]).sort(
      (a, b) => daysLeft(a) - daysLeft(b) || Number(isActive(a)) - Number(isActive(b)),
    );
    const [soonest] = notices;
    if (soonest === undefined) return { model, verdict: "unknown", notices };
    if (daysLeft(soonest) <= withinDays) return { model, verdict: "ending", notices };
    return { model, verdict: notices.every(isActive) ? "active" : "deprecated", notices };
  });
}

/** Only the notices of the platform that the name says: another one's dates do not apply there. */
function ofPlatform(model: string, notices: ModelNotice[]): ModelNotice[] {
  const slugs = platformOf(model);
  return slugs === null
    ? notices
    : notices.filter(({ provider }) => slugs.includes(slugOf(provider)));
}

/** Refuses a misspelled provider, which would otherwise pass every check. */
function meantProviders(asked: readonly string[], items: readonly ReadItem[]): ReadonlySet<string> {
  const labels = new Set(items.map(({ _deprecation }) => _deprecation.provider));
  const slugs = new Set([...labels].map(slugOf));
  const absent = asked.find((provider) => !slugs.has(slugOf(provider)));
  if (absent === undefined) return new Set(asked.map(slugOf));
  const there = [...labels].filter((label) => label !== "").join(", ");
  throw new FeedError(`the feed has nothing about '${absent}'; it has ${there || "no providers"}`);
}

function append(map: Map<string, ModelNotice[]>, id: string, notice: ModelNotice): void {
  const notices = map.get(id);
  if (notices === undefined) map.set(id, [notice]);
  else notices.push(notice);
}

/** A model that is shut down on an unknown day sorts before all dates. */
const daysLeft = ({ days_left, status }: ModelNotice): number =>
  days_left ?? (status === "shutdown" ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER);
const isActive = ({ status }: ModelNotice): boolean => status === "active";

/** A label as written in paths: callers may use either for a provider. */
export const slugOf = (provider: string): string =>
  provider.toLowerCase().replace(/[^a-z0-9]+/g, "-");
