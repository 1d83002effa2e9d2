import { FeedError } from "../consumer/feed-error.ts";
import type { ReadItem } from "../consumer/parse-feed.ts";
import type { Deprecation } from "../feeds/deprecation.ts";
import { dayOf, daysBetween } from "../notice/calendar-day.ts";
import { ModelNames } from "../notice/model-names.ts";
import type { CalendarDay } from "../notice/notice.ts";

export interface CheckOptions {
  /** A model that shuts down within this many days fails the check, like one that already has. @default 30 */
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
   * says when; `active`: its page lists it as such, perhaps with the first day on which it may end; `unknown`: the feed has nothing on it, which does not mean that it is safe.
   */
  readonly verdict: "ending" | "deprecated" | "active" | "unknown";
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
 * Looks models up in a feed: by the id as the provider writes it, by another id that the provider
 * gives for the same model, or by a name that platforms and people write for it (`openai/…`,
 * `us.anthropic.…`, `…:generateContent`, `ft:…`, `…@20240229`). Nothing is guessed from a mere
 * likeness of names.
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
  const names = new ModelNames([...byId.keys(), ...byAlias.keys()]);
  return [...new Set(models)].map((model) => {
    const ids = byId.has(model) || byAlias.has(model) ? [model] : names.resolve(model);
    const named = ids.flatMap((id) => byId.get(id) ?? []);
    // What a provider says of the very id is nearer than what it says of another that it equals.
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

/** What a name's prefix says of where the model is called: there its dates are those of that provider. */
const platforms: readonly (readonly [RegExp, string])[] = [
  [/^azure(?:_ai)?[/:]/i, "azure"],
  [/^bedrock[/:]|^arn:aws|^(?:us|eu|apac|ap|jp|global)\./i, "aws-bedrock"],
  [/^vertex(?:_ai)?[/:]|^projects\/|^publishers\//i, "google-vertex"],
  [/^gemini[/:]/i, "google-gemini"],
  [/^groq[/:]/i, "groq"],
  [/^anthropic[/:]/i, "anthropic"],
  [/^mistral(?:ai)?[/:]/i, "mistral"],
  [/^cohere(?:_chat)?[/:]/i, "cohere"],
  [/^(?:xai|x-ai)[/:]/i, "xai"],
  [/^openai[/:]/i, "openai"],
];

/** Only the notices of the platform that a name tells of, where there are any. */
function ofPlatform(model: string, notices: ModelNotice[]): ModelNotice[] {
  const slug = platforms.find(([prefix]) => prefix.test(model))?.[1];
  const own = notices.filter(({ provider }) => slugOf(provider) === slug);
  return own.length > 0 ? own : notices;
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

/** A model of which its page only says that it is over ended before every day. */
const daysLeft = ({ days_left, status }: ModelNotice): number =>
  days_left ?? (status === "shutdown" ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER);
const isActive = ({ status }: ModelNotice): boolean => status === "active";

/** A label as written in paths: callers may name a provider by either. */
export const slugOf = (provider: string): string =>
  provider.toLowerCase().replace(/[^a-z0-9]+/g, "-");
