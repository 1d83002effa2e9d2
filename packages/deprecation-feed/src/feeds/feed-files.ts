import type { Catalogue } from "../collection/catalogue.ts";
import { calendar } from "./calendar.ts";
import type { FeedDescription } from "./feed-description.ts";
import { feedItems } from "./feed-item.ts";
import { jsonFeed } from "./json-feed.ts";
import { rssFeed } from "./rss-feed.ts";

/** The forms in which a selection of the catalogue is read. */
export type FeedForm = "feed.json" | "feed.xml" | "calendar.ics";

/**
 * One feed in one form.
 * @param subject whose deprecations these are: a provider's label, or `AI`
 * @param path its address below the base, query included
 */
export function feedFile(
  form: FeedForm,
  catalogue: Catalogue,
  subject: string,
  path: string,
  base_url: string,
): string {
  const feed: FeedDescription = {
    title: `${subject} model deprecations`,
    description: `When which ${subject} models are deprecated and shut down, as the providers' pages say.`,
    home_page_url: base_url,
    feed_url: `${base_url}${path}`,
  };
  switch (form) {
    case "feed.json":
      return jsonFeed(feed, feedItems(catalogue));
    case "feed.xml":
      return rssFeed(feed, feedItems(catalogue));
    case "calendar.ics":
      return calendar(feed.feed_url, feed.title, catalogue.notices);
  }
}
