import { isCalendarDay } from "../calendar-day.ts";
import type { Deprecation, DeprecationChange } from "../feeds/deprecation.ts";
import { isJsonObject, isTextList, type JsonObject } from "../json-object.ts";
import { FeedError } from "./feed-error.ts";

/** An item with a default for all that it may leave out. */
export interface ReadItem {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly content_text: string;
  readonly date_published: string;
  readonly date_modified: string;
  readonly tags: readonly string[];
  /** All defaults where the item is not about one model. */
  readonly _deprecation: Required<Deprecation>;
  readonly _deprecation_change: DeprecationChange | null;
}

/**
 * Takes a feed's items as they are; what is missing or of another type than expected becomes its
 * default, and what is no item is left out.
 * @throws FeedError
 */
export function parseFeed(
  text: string,
  source: string,
  defaults: Partial<Deprecation>,
): { readonly title: string; readonly items: readonly ReadItem[] } {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new FeedError(`${source} is no JSON Feed: it is no JSON`);
  }
  if (!isJsonObject(document) || !Array.isArray(document.items))
    throw new FeedError(`${source} is no JSON Feed: it has no list of items`);
  const items = document.items.filter(isJsonObject).map((item) => readItem(item, defaults));
  return { title: textOf(document, "title"), items };
}

function readItem(item: JsonObject, defaults: Partial<Deprecation>): ReadItem {
  const date_published = textOf(item, "date_published");
  const change = item._deprecation_change;
  return {
    id: textOf(item, "id"),
    url: textOf(item, "url"),
    title: textOf(item, "title"),
    content_text: textOf(item, "content_text"),
    date_published,
    date_modified: textOf(item, "date_modified", date_published),
    tags: listOf(item, "tags"),
    _deprecation: readDeprecation(item._deprecation, defaults),
    _deprecation_change: isJsonObject(change) ? readChange(change) : null,
  };
}

function readDeprecation(value: unknown, defaults: Partial<Deprecation>): Required<Deprecation> {
  const object = isJsonObject(value) ? value : {};
  return {
    provider: textOf(object, "provider", defaults.provider),
    model_id: textOf(object, "model_id", defaults.model_id),
    shutdown_date: dayOf(object, "shutdown_date", defaults.shutdown_date),
    shutdown_text: textOf(object, "shutdown_text", defaults.shutdown_text),
    deprecation_date: dayOf(object, "deprecation_date", defaults.deprecation_date),
    announcement_date: dayOf(object, "announcement_date", defaults.announcement_date),
    replacement_models: listOf(object, "replacement_models", defaults.replacement_models),
    aliases: listOf(object, "aliases", defaults.aliases),
    regions: listOf(object, "regions", defaults.regions),
    first_observed: dayOf(object, "first_observed", defaults.first_observed),
    last_observed: dayOf(object, "last_observed", defaults.last_observed),
  };
}

const readChange = (object: JsonObject): DeprecationChange => ({
  provider: textOf(object, "provider"),
  model_id: textOf(object, "model_id"),
  field: textOf(object, "field"),
  from: textOf(object, "from"),
  to: textOf(object, "to"),
});

function textOf(object: JsonObject, name: string, fallback = ""): string {
  const value = object[name];
  return typeof value === "string" ? value : fallback;
}

/** A time counts by its day; what is no day is none. */
function dayOf(object: JsonObject, name: string, fallback = ""): string {
  const value = object[name];
  if (typeof value !== "string") return fallback;
  const day = value.slice(0, 10);
  return isCalendarDay(day) ? day : "";
}

function listOf(
  object: JsonObject,
  name: string,
  fallback: readonly string[] = [],
): readonly string[] {
  const value = object[name];
  return isTextList(value) ? value : fallback;
}
