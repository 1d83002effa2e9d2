import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/**
 * One table of deprecated and retired models. Some have left the API or never had an id there; they are listed by the
 * name of their page.
 */
export const mistral: Provider = {
  label: "Mistral",
  slug: "mistral",
  page_url: "https://docs.mistral.ai/models",
  source_url: "https://docs.mistral.ai/models.md",
  allowed_hosts: [],
  extract: (page) =>
    noticesFromTables(readPage(page), {
      idColumn: /^api\b/i,
      idOfLink: /\/models\/([^/?#]+)/,
      acceptsNames: true,
    }),
};
