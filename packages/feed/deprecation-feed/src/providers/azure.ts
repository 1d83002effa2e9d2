import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** One table per maker of models. A model's id is its name, or what the name links to. */
export const azure: Provider = {
  label: "Azure",
  slug: "azure",
  page_url:
    "https://learn.microsoft.com/en-us/azure/foundry/openai/concepts/model-retirement-schedule",
  source_url:
    "https://learn.microsoft.com/en-us/azure/foundry/openai/concepts/model-retirement-schedule",
  allowed_hosts: [],
  extract: (page) =>
    noticesFromTables(readPage(page), {
      idOfLink: /\/(?:explore\/models|landing)\/([^/?#]+)/,
      acceptsNames: true,
    }),
};
