import { readPage } from "../extraction/page.ts";
import { noticesFromSentences } from "../extraction/sentence-notices.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** Sentences about single models, and a table under a sentence about all models of a series. */
export const moonshot: Provider = {
  label: "Moonshot AI",
  slug: "moonshot",
  page_url: "https://platform.kimi.ai/docs/models",
  source_url: "https://platform.kimi.ai/docs/models.md",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    return [...noticesFromTables(page, { leadInEnds: true }), ...noticesFromSentences(page)];
  },
};
