import type { FeedDescription } from "./feed-description.ts";
import type { FeedItem } from "./feed-item.ts";

/** JSON Feed 1.1 (jsonfeed.org/version/1.1). */
export function jsonFeed(feed: FeedDescription, items: readonly FeedItem[]): string {
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
