import { readPage } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Provider } from "../notice/notice.ts";

/** Tables of available models, most with an earliest retirement date, and of retired ones. */
export const googleVertex: Provider = {
  label: "Google Vertex",
  slug: "google-vertex",
  page_url: "https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/model-versions",
  source_url:
    "https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/model-versions",
  allowed_hosts: ["cloud.google.com"],
  extract: (page) => noticesFromTables(readPage(page)),
};
