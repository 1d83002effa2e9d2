import { noticesFromLists } from "../extraction/list-notices.ts";
import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** A list under the day on which its models retire, and a table of their replacements. */
export const xai: Provider = {
  label: "xAI",
  slug: "xai",
  page_url: "https://docs.x.ai/developers/migration/may-15-retirement",
  source_url: "https://docs.x.ai/developers/migration/may-15-retirement.md",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    return [...noticesFromTables(page), ...noticesFromLists(page)];
  },
};
