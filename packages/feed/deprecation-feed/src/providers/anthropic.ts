import { announcementInHeadings } from "../extraction/announcements.ts";
import { readPage } from "../extraction/page.ts";
import { noticesFromSentences } from "../extraction/sentence-notices.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/**
 * A table of all models with their state, one section per announcement, and sentences about models that are in
 * neither.
 */
export const anthropic: Provider = {
  label: "Anthropic",
  slug: "anthropic",
  page_url: "https://platform.claude.com/docs/en/about-claude/model-deprecations",
  source_url: "https://platform.claude.com/docs/en/about-claude/model-deprecations.md",
  allowed_hosts: ["docs.claude.com", "docs.anthropic.com"],
  extract(text) {
    const page = readPage(text);
    return [
      ...noticesFromTables(page, { announcement: announcementInHeadings }),
      ...noticesFromSentences(page),
    ];
  },
};
