import { newestChange } from "../collection/catalogue.ts";
import type { FeedState } from "../collection/feed-state.ts";
import type { Notice, Provider } from "../notice/notice.ts";
import { changeId, noticeId } from "./item-id.ts";

/** The format version of `deprecations.json` and `status.json`, which the next run starts from. */
export const stateVersion = 1;

/** Everything known, as a flat list, with the rows as they were read. */
export function deprecationsFile({ catalogue }: FeedState): string {
  const notices = catalogue.notices.map((notice) => {
    const { provider, slug, url, date_published, date_modified, last_observed } = notice;
    return {
      id: noticeId(slug, notice.model_id),
      provider,
      slug,
      ...noticeMembers(notice),
      status: notice.status,
      url,
      date_published,
      date_modified,
      first_observed: date_published.slice(0, 10),
      last_observed,
      rows: notice.rows.map(noticeMembers),
    };
  });
  const changes = catalogue.changes.map((change) => ({ id: changeId(change), ...change }));
  return json({ version: stateVersion, updated: newestChange(catalogue), notices, changes });
}

/** In a fixed order, whether the notice was read from a page or from this file. */
const noticeMembers = (notice: Notice): Notice => ({
  model_id: notice.model_id,
  aliases: notice.aliases,
  announcement_date: notice.announcement_date,
  deprecation_date: notice.deprecation_date,
  shutdown_date: notice.shutdown_date,
  earliest_shutdown_date: notice.earliest_shutdown_date,
  state: notice.state,
  shutdown_text: notice.shutdown_text,
  replacement_models: notice.replacement_models,
  regions: notice.regions,
  anchor: notice.anchor,
  source_text: notice.source_text,
});

/** Whether each page could be read; the only file that every run changes. */
export const statusFile = ({ program, checked_at, statuses }: FeedState): string =>
  json({ version: stateVersion, program, checked_at, providers: statuses });

export function providersFile(providers: readonly Provider[], base_url: string): string {
  const entries = providers.map(({ label, slug, page_url }) => ({
    label,
    slug,
    page: page_url,
    feed_json: `${base_url}v1/providers/${slug}/feed.json`,
    feed_xml: `${base_url}v1/providers/${slug}/feed.xml`,
  }));
  return json({ providers: entries });
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;
