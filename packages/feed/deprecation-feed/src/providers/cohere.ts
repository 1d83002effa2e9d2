import { announcementInHeadings } from "../extraction/announcements.ts";
import { noticesFromLists } from "../extraction/list-notices.ts";
import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** One section per announcement, with a table or with lists between paragraphs. */
export const cohere: Provider = {
  label: "Cohere",
  slug: "cohere",
  page_url: "https://docs.cohere.com/docs/deprecations",
  source_url: "https://docs.cohere.com/docs/deprecations.md",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    const announcement = announcementInHeadings;
    return [
      ...noticesFromTables(page, { announcement }),
      ...noticesFromLists(page, { announcement, hasAlternatives: true }),
    ];
  },
};
