import { type PageCondition, pageConditions } from "../collection/page-condition.ts";
import { isJsonObject } from "../notice/json-object.ts";

/** How well a feed could read the providers' pages, from its `status.json`. */
export interface FeedStatus {
  /** When the pages were last read, in ISO 8601. */
  readonly checked_at: string;
  readonly providers: readonly ProviderFreshness[];
}

export interface ProviderFreshness {
  readonly provider: string;
  readonly slug: string;
  readonly state: PageCondition;
  /** Why it is not fresh. */
  readonly reason: string;
  /** When its page was last read, in ISO 8601; empty: never. */
  readonly last_good: string;
}

/** Null: the text is not a status file of this kind; other feeds have none. */
export function parseFeedStatus(text: string): FeedStatus | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(document) || !Array.isArray(document.providers)) return null;
  const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
  const providers = document.providers.filter(isJsonObject).map((entry) => ({
    provider: textOf(entry.provider),
    slug: textOf(entry.slug),
    state: pageConditions.find((state) => state === entry.state) ?? ("stale" as const),
    reason: textOf(entry.reason),
    last_good: textOf(entry.last_good),
  }));
  return { checked_at: textOf(document.checked_at), providers };
}
