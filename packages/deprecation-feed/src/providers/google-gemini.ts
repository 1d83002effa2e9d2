import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** A table for each family of models, those without a date of their end among them. */
export const googleGemini: Provider = {
  label: "Google Gemini",
  slug: "google-gemini",
  page_url: "https://ai.google.dev/gemini-api/docs/deprecations",
  source_url: "https://ai.google.dev/gemini-api/docs/deprecations.md.txt",
  allowed_hosts: [],
  extract: (page) => noticesFromTables(readPage(page)),
};
