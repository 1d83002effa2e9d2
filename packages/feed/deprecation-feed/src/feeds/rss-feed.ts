import { escapeMarkup } from "./escape-markup.ts";
import type { FeedDescription } from "./feed-description.ts";
import type { FeedItem } from "./feed-item.ts";

/**
 * RSS 2.0 with the channel and item elements of its specification, and the feed's own URL, as the RSS Best Practices
 * Profile recommends.
 */
export function rssFeed(feed: FeedDescription, items: readonly FeedItem[]): string {
  const newest = items
    .map(({ date_modified }) => date_modified)
    .sort()
    .at(-1);
  const channel = [
    element("title", feed.title),
    element("link", feed.home_page_url),
    element("description", feed.description),
    element("language", "en"),
    ...(newest === undefined ? [] : [element("lastBuildDate", rssDate(newest))]),
    element("ttl", "1440"),
    `<atom:link href="${escapeMarkup(feed.feed_url)}" rel="self" type="application/rss+xml"/>`,
    ...items.map(rssItem),
  ];
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
${channel.join("\n")}
</channel>
</rss>
`;
}

function rssItem(item: FeedItem): string {
  const lines = [
    element("title", item.title),
    element("link", item.url),
    // A description contains HTML.
    element("description", escapeMarkup(item.content_text).replaceAll("\n", "<br>\n")),
    ...item.tags.map((tag) => element("category", tag)),
    `<guid isPermaLink="false">${escapeMarkup(item.id)}</guid>`,
    element("pubDate", rssDate(item.date_published)),
  ];
  return `<item>\n${lines.join("\n")}\n</item>`;
}

const element = (name: string, text: string): string => `<${name}>${escapeMarkup(text)}</${name}>`;

/** RFC 822 with a four-digit year, in GMT. */
const rssDate = (time: string): string => new Date(time).toUTCString();
