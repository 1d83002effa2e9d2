import { modelStatuses } from "../collection/model-status.ts";
import { readDateCell } from "../extraction/date-cells.ts";
import type { Deprecation, DeprecationChange } from "../feeds/deprecation.ts";
import { isCalendarDay } from "../notice/calendar-day.ts";
import { isJsonObject, isTextList, type JsonObject } from "../notice/json-object.ts";
import { FeedError } from "./feed-error.ts";

/** An item with defaults for omitted members. */
export interface ReadItem {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly content_text: string;
  readonly date_published: string;
  readonly date_modified: string;
  readonly tags: readonly string[];
  /** All defaults if the item is not about a single model. */
  readonly _deprecation: Required<Deprecation>;
  readonly _deprecation_change: DeprecationChange | null;
}

/**
 * Parses a feed's items leniently: missing members and members of an unexpected type get their defaults, and entries
 * that are not items are left out.
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
    throw new FeedError(`${source} is not a JSON Feed: it is not JSON`);
  }
  if (!isJsonObject(document) || !Array.isArray(document.items))
    throw new FeedError(`${source} is not a JSON Feed: it has no list of items`);
  const items = document.items.filter(isJsonObject).map((item) => readItem(item, defaults));
  return { title: textOf(document, "title"), items: withoutSightings(items) };
}

/**
 * Some feeds give a last sighting for every model, even for those listed today. In such a feed, a model has disappeared
 * only if others of its provider were seen more recently.
 */
function withoutSightings(items: readonly ReadItem[]): readonly ReadItem[] {
  const notices = items.filter(({ _deprecation: { model_id } }) => model_id !== "");
  const latest = new Map<string, string>();
  for (const [provider, group] of Map.groupBy(notices, (item) => item._deprecation.provider)) {
    const days = group.map(({ _deprecation }) => _deprecation.last_observed).sort();
    const saysMore = group.some(({ _deprecation }) => _deprecation.status !== "");
    if (days[0] !== "" && !saysMore) latest.set(provider, days.at(-1) ?? "");
  }
  return items.map((item) => {
    const { provider, last_observed } = item._deprecation;
    if (last_observed === "" || latest.get(provider) !== last_observed) return item;
    return { ...item, _deprecation: { ...item._deprecation, last_observed: "" } };
  });
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
  const shutdown_date = dayOf(object, "shutdown_date", defaults.shutdown_date);
  // Text that is not a day, such as "end of 2026", is kept as words.
  const written = textOf(object, "shutdown_date");
  const inWords = written === "" || readDay(written) !== "" ? null : written;
  return {
    provider: textOf(object, "provider", defaults.provider),
    model_id: textOf(object, "model_id", defaults.model_id),
    status: statusOf(object, defaults.status),
    shutdown_date,
    earliest_shutdown_date: dayOf(
      object,
      "earliest_shutdown_date",
      defaults.earliest_shutdown_date,
    ),
    shutdown_text: textOf(object, "shutdown_text") || (inWords ?? defaults.shutdown_text ?? ""),
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

/** Text that is not a day counts as missing, and gets the default; an empty text means that there is no date. */
function dayOf(object: JsonObject, name: string, fallback = ""): string {
  const value = object[name];
  if (typeof value !== "string") return fallback;
  return value === "" ? "" : readDay(value) || fallback;
}

/** A time counts as its day; a day in words is read if it is unambiguous. */
function readDay(text: string): string {
  const day = text.slice(0, 10);
  return isCalendarDay(day) ? day : readDateCell(text, "unknown").day;
}

function statusOf(object: JsonObject, fallback: Deprecation["status"] = ""): Deprecation["status"] {
  return modelStatuses.find((status) => status === object.status) ?? fallback;
}

function listOf(
  object: JsonObject,
  name: string,
  fallback: readonly string[] = [],
): readonly string[] {
  const value = object[name];
  return isTextList(value) ? value : fallback;
}
