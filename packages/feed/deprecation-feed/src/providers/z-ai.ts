import { announcementInHeadings } from "../extraction/announcements.ts";
import { readPage } from "../extraction/page.ts";
import { noticesFromSentences } from "../extraction/sentence-notices.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** Release notes, one entry per day: Z.ai has no page of deprecations. */
export const zAi: Provider = {
  label: "Z.ai",
  slug: "z-ai",
  page_url: "https://docs.z.ai/release-notes/new-released",
  source_url: "https://docs.z.ai/release-notes/new-released.md",
  allowed_hosts: [],
  emptyPage: /^# New Released\b|<h1[^>]*>\s*New Released\b/m,
  extract(text) {
    const page = readPage(text);
    const announcement = announcementInHeadings;
    return [
      ...noticesFromTables(page, { announcement }),
      ...noticesFromSentences(page, { announcement }),
    ];
  },
};
