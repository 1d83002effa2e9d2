import { announcementInSentences } from "../extraction/announcements.ts";
import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** A section with a table per shutdown; the heading has its day, the text that of the email. */
export const groq: Provider = {
  label: "Groq",
  slug: "groq",
  page_url: "https://console.groq.com/docs/deprecations",
  source_url: "https://console.groq.com/docs/deprecations.md",
  allowed_hosts: [],
  extract: (page) => noticesFromTables(readPage(page), { announcement: announcementInSentences }),
};
