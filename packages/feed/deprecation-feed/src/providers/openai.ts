import { announcementInHeadings, announcementInSentences } from "../extraction/announcements.ts";
import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** One section per announcement, with its date in the heading and a table of models or systems. */
export const openai: Provider = {
  label: "OpenAI",
  slug: "openai",
  page_url: "https://developers.openai.com/api/docs/deprecations",
  source_url: "https://developers.openai.com/api/docs/deprecations.md",
  allowed_hosts: ["platform.openai.com"],
  extract: (page) =>
    noticesFromTables(readPage(page), {
      announcement: (section) =>
        announcementInHeadings(section) || announcementInSentences(section),
    }),
};
