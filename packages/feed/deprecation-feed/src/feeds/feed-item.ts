import type { Catalogue, Change, KnownNotice } from "../collection/catalogue.ts";
import { compareText } from "../notice/compare-text.ts";
import type { Deprecation, DeprecationChange } from "./deprecation.ts";
import { changeId, noticeId } from "./item-id.ts";
import { changeText, changeTitle, noticeText } from "./item-text.ts";

/** An item of JSON Feed 1.1; items of RSS are made from it too. */
export interface FeedItem {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly content_text: string;
  /** ISO 8601; never changes. */
  readonly date_published: string;
  readonly date_modified: string;
  readonly tags: readonly string[];
  readonly _deprecation?: Deprecation;
  readonly _deprecation_change?: DeprecationChange;
}

/** One item per model and one per change, newest first. */
export function feedItems({ notices, changes }: Catalogue): readonly FeedItem[] {
  return [...notices.map(noticeItem), ...changes.map(changeItem)].sort(
    (a, b) => compareText(b.date_modified, a.date_modified) || compareText(a.id, b.id),
  );
}

function noticeItem(notice: KnownNotice): FeedItem {
  const { provider, model_id, date_published, date_modified, last_observed } = notice;
  return {
    id: noticeId(notice.slug, model_id),
    url: notice.url,
    title: `${provider}: ${model_id}`,
    content_text: noticeText(notice),
    date_published,
    date_modified,
    tags: [provider, notice.status === "active" ? "active" : "deprecation"],
    _deprecation: {
      provider,
      model_id,
      status: notice.status,
      shutdown_date: notice.shutdown_date,
      earliest_shutdown_date: notice.earliest_shutdown_date,
      shutdown_text: notice.shutdown_text,
      deprecation_date: notice.deprecation_date,
      announcement_date: notice.announcement_date,
      replacement_models: notice.replacement_models,
      aliases: notice.aliases,
      regions: notice.regions,
      first_observed: date_published.slice(0, 10),
      ...(last_observed === "" ? {} : { last_observed }),
    },
  };
}

function changeItem(change: Change): FeedItem {
  const { provider, model_id, field, from, to, date_observed } = change;
  return {
    id: changeId(change),
    url: change.url,
    title: changeTitle(change),
    content_text: changeText(change),
    date_published: date_observed,
    date_modified: date_observed,
    tags: [provider, "change"],
    _deprecation_change: { provider, model_id, field, from, to },
  };
}
