import type { Catalogue } from "../collection/catalogue.ts";
import { calendar } from "./calendar.ts";
import type { FeedDescription } from "./feed-description.ts";
import { type FeedItem, feedItems } from "./feed-item.ts";
import { rssFeed } from "./rss-feed.ts";

/** The formats of a selection of the catalogue. */
export type FeedForm = "feed.json" | "feed.xml" | "calendar.ics";

/**
 * A feed in one format.
 * @param subject of the title: a provider's label, or `AI`
 * @param path its path below the base URL, including the query
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
    description: `When which ${subject} models are deprecated and shut down, according to the providers' pages.`,
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

/** JSON Feed 1.1 (jsonfeed.org/version/1.1). */
function jsonFeed(feed: FeedDescription, items: readonly FeedItem[]): string {
  const { title, home_page_url, feed_url, description } = feed;
  const version = "https://jsonfeed.org/version/1.1";
  const document = {
    version,
    title,
    home_page_url,
    feed_url,
    description,
    language: "en",
    items,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
