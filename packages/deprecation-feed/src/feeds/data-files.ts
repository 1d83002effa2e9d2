import { newestChange } from "../collection/catalogue.ts";
import type { FeedState } from "../collection/feed-state.ts";
import type { Provider } from "../notice.ts";
import { changeId, noticeId } from "./item-id.ts";

/** Of the form of `deprecations.json` and `status.json`, from which the next run starts. */
export const stateVersion = 1;

/** Everything that is known, flat, with the rows as they were read. */
export function deprecationsFile({ catalogue }: FeedState): string {
  const notices = catalogue.notices.map((notice) => {
    const { last_observed, rows, ...rest } = notice;
    const first_observed = notice.date_published.slice(0, 10);
    return {
      id: noticeId(notice.slug, notice.model_id),
      ...rest,
      first_observed,
      last_observed,
      rows,
    };
  });
  const changes = catalogue.changes.map((change) => ({ id: changeId(change), ...change }));
  return json({ version: stateVersion, updated: newestChange(catalogue), notices, changes });
}

/** How the reading of every page stands: the one file that every run changes. */
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
