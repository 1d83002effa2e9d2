import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** One table per family of models, including models without a shutdown date. */
export const googleGemini: Provider = {
  label: "Google Gemini",
  slug: "google-gemini",
  page_url: "https://ai.google.dev/gemini-api/docs/deprecations",
  source_url: "https://ai.google.dev/gemini-api/docs/deprecations.md.txt",
  allowed_hosts: [],
  extract: (page) => noticesFromTables(readPage(page)),
};
