/** A feed's metadata. URLs are absolute. */
export interface FeedDescription {
  readonly title: string;
  readonly description: string;
  readonly home_page_url: string;
  readonly feed_url: string;
}
