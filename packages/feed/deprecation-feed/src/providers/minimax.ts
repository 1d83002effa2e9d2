import { readPage } from "../extraction/page.ts";
import { noticesFromSentences } from "../extraction/sentence-notices.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** Release notes: MiniMax has no page of deprecations, and announces new models here. */
export const miniMax: Provider = {
  label: "MiniMax",
  slug: "minimax",
  page_url: "https://platform.minimax.io/docs/release-notes/models",
  source_url: "https://platform.minimax.io/docs/release-notes/models.md",
  allowed_hosts: [],
  emptyPage: /^# Models\b[\s\S]*\bRelease|<h1[^>]*>\s*Models\b/m,
  extract(text) {
    const page = readPage(text);
    return [...noticesFromTables(page), ...noticesFromSentences(page)];
  },
};
